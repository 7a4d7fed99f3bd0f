"""The board as cells: points from 1 to 24, and heights in their stacks from 1 up. Pure.

A checker has an id of its own, `W1` to `B15`, that stays with it as it moves. The ids on a point
follow from the moves of the match.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import TypeAlias

from attrs import define, field

from tabnet.games.plakoto.board import CHECKERS, FIRST, LAST, OFF, PlakotoMove
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table

COLOURS = ("W", "B")
"""The colours of the seats in this dialect."""
CACHED_BOARDS = 64

Cell: TypeAlias = dict[str, int | str | None]
Stack: TypeAlias = list[str]
"""The ids of the checkers on a point, from the bottom to the top."""
Stacks: TypeAlias = list[Stack]
"""The stack of each point from 1 to 24, and the checkers that are borne off, at 0 and 25."""


def first_stacks() -> Stacks:
    """Return the stacks of the first position."""
    stacks: Stacks = [[] for _ in range(OFF + 1)]
    for colour, point in zip(COLOURS, (FIRST, LAST), strict=True):
        stacks[point] = [f"{colour}{number}" for number in range(1, CHECKERS + 1)]
    return stacks


@define
class CachedBoard:
    """The stacks of a match after its first moments."""

    stacks: Stacks
    moments: int = 0

    def read(self, match: Match) -> None:
        """Make the moves of the match that are not made yet: the top checker moves."""
        for number in range(self.moments, match.seq):
            move = match.moments[number].action
            if isinstance(move, PlakotoMove):
                self.stacks[move.to].append(self.stacks[move.start].pop())
        self.moments = match.seq


@define
class Boards:
    """The stacks of the matches that clients asked for last."""

    _latest: OrderedDict[str, CachedBoard] = field(factory=OrderedDict)

    def stacks(self, game: Match | Table | None) -> Stacks:
        """Return the stacks of a game; without a match, those of the first position."""
        if not isinstance(game, Match):
            return first_stacks()
        board = self._latest.pop(game.id, None)
        if board is None or board.moments > game.seq:
            board = CachedBoard(first_stacks())
        board.read(game)
        self._latest[game.id] = board
        if len(self._latest) > CACHED_BOARDS:
            self._latest.popitem(last=False)
        return board.stacks


def cells(stacks: Stacks) -> list[Cell]:
    """Return every cell of the board, point by point."""
    return [cell for point in range(FIRST, LAST + 1) for cell in _cells_of_point(stacks, point)]


def cell_at(stacks: Stacks, point: int, height: int) -> Cell | None:
    """Return one cell; None if the board has no such cell now."""
    return next((cell for cell in _cells_of_point(stacks, point) if cell["y"] == height), None)


def cells_after_move(stacks: Stacks, to: int) -> list[Cell]:
    """Return every cell, first the one with the checker that has moved to the point `to`."""
    board, moved = cells(stacks), stacks[to][-1]
    return sorted(board, key=lambda cell: cell["piece"] != moved)


def _cells_of_point(stacks: Stacks, point: int) -> Iterator[Cell]:
    """Yield the cells of a point: 15, or 16 for 15 checkers that pin another one."""
    stack = stacks[point]
    for height in range(1, max(CHECKERS, len(stack)) + 1):
        piece = stack[height - 1] if height <= len(stack) else None
        yield {
            "x": point,
            "y": height,
            "b_color": COLOURS[point % 2],
            "piece_color": piece[0] if piece else None,
            "piece": piece,
        }
