"""A position of Fish, and its legal actions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import compress
from typing import TypeAlias, cast

from attrs import frozen

from tabnet.games.api import JSON, Action, Outcome, Roll
from tabnet.games.fish.board import (
    PENGUIN,
    FishMove,
    Place,
    Sea,
    Slide,
    find_lines_from_cell,
    find_nearest_cells,
    list_placements,
)
from tabnet.games.fish.refusals import explain_illegal_action
from tabnet.games.fish.view import dump_position, format_board

Places: TypeAlias = tuple[tuple[int, ...] | None, ...]
"""For each seat the cells of its penguins, in order; None if it was removed."""

FREE = bytes(byte if byte < PENGUIN else 0 for byte in range(256))
"""A table for `bytes.translate` that turns tiles under penguins into holes."""


@frozen
class FishState:
    """A position of Fish; the board is made of bytes as in `board`."""

    sea: Sea
    board: bytes
    places: Places
    scores: tuple[int, ...]
    turn: int | None
    """The seat to act, which always has a legal action; None at the end."""

    @property
    def is_placing(self) -> bool:
        return self.turn is not None and len(self.penguins_of(self.turn)) < self.sea.penguins

    def penguins_of(self, seat: int) -> tuple[int, ...]:
        return self.places[seat] or ()

    @cached_property
    def _legal_actions(self) -> tuple[FishMove, ...]:
        if self.turn is None:
            return ()
        rows, cols = self.sea.rows, self.sea.cols
        free = self.board.translate(FREE)
        if self.is_placing:
            return tuple(compress(list_placements(rows, cols), free))
        moves = []
        for start in self.penguins_of(self.turn):
            for line in find_lines_from_cell(rows, cols, start):
                for cell, slide in line:
                    if not free[cell]:
                        break
                    moves.append(slide)
        return tuple(moves)

    def actions(self) -> tuple[FishMove, ...]:
        return self._legal_actions

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        return ()

    def branches(self) -> int:
        return len(self._legal_actions)

    def apply(self, action: Action) -> FishState:
        refusal = explain_illegal_action(action, self.sea, self.board, self.turn, self.places)
        if refusal is not None:
            raise refusal
        seat, board, scores = cast(int, self.turn), bytearray(self.board), self.scores
        penguins, cols = self.penguins_of(seat), self.sea.cols
        if isinstance(action, Slide):
            start, target = action.start.row * cols + action.start.col, action.end
            fish = board[start] - PENGUIN
            board[start] = 0
            penguins = tuple(cell for cell in penguins if cell != start)
            scores = (*scores[:seat], scores[seat] + fish, *scores[seat + 1 :])
        else:
            target = cast(Place, action).at
        cell = target.row * cols + target.col
        board[cell] += PENGUIN
        moved = tuple(sorted((*penguins, cell)))
        places = (*self.places[:seat], moved, *self.places[seat + 1 :])
        return give_turn_from(self.sea, bytes(board), places, scores, seat + 1)

    def remove(self, seat: int) -> FishState:
        """Return the position after this player is removed, who cannot win and keeps the fish.

        The penguins vanish, and their tiles stay. When one player is left, the game is over.
        """
        board = bytearray(self.board)
        for cell in self.penguins_of(seat):
            board[cell] -= PENGUIN
        places = (*self.places[:seat], None, *self.places[seat + 1 :])
        return give_turn_from(self.sea, bytes(board), places, self.scores, self.turn or 0)

    def outcome(self) -> Outcome | None:
        """Return the result: most fish win, among the players who were not removed."""
        if self.turn is not None:
            return None
        playing = [seat for seat, penguins in enumerate(self.places) if penguins is not None]
        most = max((self.scores[seat] for seat in playing), default=0)
        winners = tuple(seat for seat in playing if self.scores[seat] == most)
        return Outcome(winners, self.scores, "others_out" if is_alone(self.places) else "no_moves")

    def view(self) -> dict[str, JSON]:
        """Return the position as JSON values; the first of the players is the one to move next."""
        return dump_position(self.sea, self.board, self.turn, self.places, self.scores)

    def __str__(self) -> str:
        board = format_board(self.sea, self.board, self.places, self.scores)
        return f"{board}\n{self._describe_status()}"

    def _describe_status(self) -> str:
        outcome = self.outcome()
        if outcome is None:
            colour = self.sea.colours[cast(int, self.turn)]
            return f"{colour} is to {'place a penguin' if self.is_placing else 'move'}"
        winners = " and ".join(self.sea.colours[seat] for seat in outcome.winners)
        return f"The game is over ({outcome.reason}), won by {winners or 'nobody'}"


def give_turn_from(
    sea: Sea, board: bytes, places: Places, scores: tuple[int, ...], seat: int
) -> FishState:
    """Return the position in which the first seat from `seat` on that can act is to act.

    Penguins are placed first. A player with no free tile for a penguin is removed.
    """
    turn = None
    if not is_alone(places):
        order = (*range(seat, len(places)), *range(min(seat, len(places))))
        for each in order:
            penguins = places[each]
            if penguins is not None and len(penguins) < sea.penguins:
                state = FishState(sea, board, places, scores, each)
                return state if any(board.translate(FREE)) else state.remove(each)
        turn = next((each for each in order if _can_move(sea, board, places[each] or ())), None)
    return FishState(sea, board, places, scores, turn)


def is_alone(places: Places) -> bool:
    """Return whether all but one were removed."""
    return len(places) - places.count(None) <= 1 < len(places)


def _can_move(sea: Sea, board: bytes, penguins: Iterable[int]) -> bool:
    return any(
        0 < board[near] < PENGUIN
        for cell in penguins
        for near in find_nearest_cells(sea.rows, sea.cols, cell)
    )
