"""The reasons why an action of Fish is refused; they name the place."""

from __future__ import annotations

from collections.abc import Sequence

from tabnet.errors import IllegalMove, InvalidMove, RulesError, get_meanings
from tabnet.games.api import Action, Pass, Roll
from tabnet.games.fish.board import PENGUIN, Place, Sea, Slide, Spot, find_ways_from_cell

CODES: dict[str, str] = {
    **get_meanings("no_piece", "wrong_direction"),
    "must_place": "penguins are placed before any is moved",
    "all_placed": "all penguins of the player's are placed: one has to be moved",
    "off_board": "the place is not on the board",
    "hole": "there is no tile at the destination",
    "blocked": "a hole or a penguin is in the way",
    **get_meanings("occupied"),
}


def explain_illegal_action(
    action: Action,
    sea: Sea,
    board: bytes,
    turn: int | None,
    places: Sequence[tuple[int, ...] | None],
) -> RulesError | None:
    """Return why the player whose `turn` it is cannot do an action; None if it is legal."""
    if isinstance(action, Roll):
        return IllegalMove("no_roll", "Fish has no dice")
    if isinstance(action, Pass):
        return IllegalMove("no_pass", "Fish has no passing: a player who cannot move is skipped")
    if not isinstance(action, Place | Slide):
        return InvalidMove("a move of Fish is a Place or a Slide")
    if turn is None:
        return IllegalMove("game_over", "the game is over")
    penguins = places[turn] or ()
    due = sea.penguins - len(penguins)
    if isinstance(action, Slide):
        if due > 0:
            return IllegalMove("must_place", f"you have penguins to place first: {due}")
        return _explain_illegal_slide(action, sea, board, penguins)
    if due <= 0:
        return IllegalMove("all_placed", "all your penguins are placed: move one of them")
    return _explain_illegal_place(action, sea, board)


def _explain_illegal_place(place: Place, sea: Sea, board: bytes) -> IllegalMove | None:
    cell = sea.find_cell(place.at)
    if cell is None:
        return _explain_off_board(place.at, sea)
    return _explain_illegal_destination(place.at, board[cell])


def _explain_illegal_slide(
    slide: Slide, sea: Sea, board: bytes, penguins: tuple[int, ...]
) -> IllegalMove | None:
    start, end = sea.find_cell(slide.start), sea.find_cell(slide.end)
    if start is None or end is None:
        return _explain_off_board(slide.end if start is not None else slide.start, sea)
    if start not in penguins:
        return IllegalMove("no_piece", f"there is no penguin of yours at {slide.start}")
    cells = find_ways_from_cell(sea.rows, sea.cols, start).get(end)
    if cells is None:
        return IllegalMove(
            "wrong_direction",
            f"no straight line leads from {slide.start} to {slide.end}",
            hint="N and S go over two rows, NE, SE, SW and NW to the next one",
        )
    for cell in cells[:-1]:
        if not 0 < board[cell] < PENGUIN:
            obstacle = "penguin" if board[cell] else "hole"
            return IllegalMove(
                "blocked", f"there is a {obstacle} in the way, at {sea.find_spot(cell)}"
            )
    return _explain_illegal_destination(slide.end, board[end])


def _explain_illegal_destination(spot: Spot, byte: int) -> IllegalMove | None:
    """Return why a penguin cannot stand there, or None."""
    if byte == 0:
        return IllegalMove("hole", f"there is no tile at {spot}")
    if byte >= PENGUIN:
        return IllegalMove("occupied", f"there is a penguin at {spot} already")
    return None


def _explain_off_board(spot: Spot, sea: Sea) -> IllegalMove:
    hint = f"rows 0 to {sea.rows - 1}, cols 0 to {sea.cols - 1}"
    return IllegalMove("off_board", f"{spot} is not on the board", hint=hint)
