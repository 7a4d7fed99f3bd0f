"""The reasons why an action of Plakoto is refused; they name the points and the legal moves."""

from __future__ import annotations

from collections.abc import Sequence

from tabnet.errors import IllegalMove, get_meanings
from tabnet.games.plakoto.board import (
    COLOURS,
    HOME,
    OFF,
    PlakotoMove,
    Survey,
    holds_free_checkers,
    is_closed,
    is_pinned,
)

CODES: dict[str, str] = {
    **get_meanings("no_piece", "wrong_distance", "wrong_direction"),
    "pinned": "a pinned checker stays until the last one on it has left",
    "closed_point": "the opponent holds the point",
    "not_home": "checkers are borne off when all are in the last six points and none is pinned",
    "must_play_most": "as much of a throw as can be played must be",
}

DEMANDS = {
    "game_over": "the game is over",
    "must_roll": "You must roll the dice first",
    "must_move": "You already rolled the dice and have valid moves",
    "must_pass": "You already rolled the dice and do not have any valid moves, must pass",
}


def explain_due_action(seat: int | None, dice: tuple[int, ...], must_pass: bool) -> IllegalMove:
    """Return the error that says what is to be done now."""
    if seat is None:
        code = "game_over"
    elif not dice:
        code = "must_roll"
    else:
        code = "must_pass" if must_pass else "must_move"
    return IllegalMove(code, DEMANDS[code])


def explain_illegal_move(
    board: bytes,
    seat: int | None,
    dice: tuple[int, ...],
    legal: Sequence[PlakotoMove],
    move: PlakotoMove,
) -> IllegalMove:
    """Return the error for `move`, which is none of the `legal` ones; `seat` sees the board."""
    if seat is None or not dice or not legal:
        return explain_due_action(seat, dice, must_pass=True)
    start, to = (OFF - move.start, OFF - move.to) if seat else (move.start, move.to)
    colour = COLOURS[seat]
    if start not in range(1, OFF) or not (
        holds_free_checkers(board, start) or is_pinned(board, start)
    ):
        return IllegalMove("no_piece", f"there is no {colour} checker on {move.start}")
    if is_pinned(board, start):
        return IllegalMove("pinned", f"the {colour} checker on {move.start} is pinned")
    if to <= start:
        way = "down from 24 to 1" if seat else "up from 1 to 24"
        return IllegalMove("wrong_direction", f"{colour}'s checkers move {way}")
    if to >= OFF:
        problem = _explain_illegal_bearing_off(board, start, dice, colour)
    elif to - start not in dice:
        problem = IllegalMove("wrong_distance", f"no die to be played is {to - start}")
    else:
        problem = None
        if is_closed(board, to):
            problem = IllegalMove("closed_point", f"{COLOURS[1 - seat]} holds {move.to}")
    if problem is None:
        problem = IllegalMove(
            "must_play_most", "after this move less of the throw could be played than can be"
        )
    problem.hint = f"possible: {_list_moves(legal)}"
    return problem


def _explain_illegal_bearing_off(
    board: bytes, start: int, dice: tuple[int, ...], colour: str
) -> IllegalMove | None:
    survey = Survey.survey_board(board)
    if not survey.bearing_off:
        return IllegalMove(
            "not_home",
            f"{colour} bears off when all checkers left are in the last {HOME} points and none "
            "is pinned",
        )
    if not any(
        survey.find_movable_points(die) >> OFF - start & 1 for die in dice if die >= OFF - start
    ):
        return IllegalMove(
            "wrong_distance",
            f"no die to be played is {OFF - start}, and a larger one takes off only what is "
            "farthest away",
        )
    return None


def _list_moves(moves: Sequence[PlakotoMove]) -> str:
    listed = ", ".join(f"{move.start} to {move.to}" for move in moves[:4])
    return f"{listed} and others" if len(moves) > 4 else listed
