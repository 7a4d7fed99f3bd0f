"""Tab a second time, written for obviousness instead of speed, to compare the real rules with.

It shares nothing with `tabnet`: pieces are objects that stand in a row as their owner counts rows,
0 at home to 3, and in a column. Only views, as JSON values, go in and out. A ply is written
`("roll", sticks)`, `("pass",)` or `("move", cell, to)`; sticks are four truth values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

Ply = tuple[Any, ...]


@dataclass(frozen=True)
class Piece:
    owner: int
    row: int
    column: int
    moved: bool = False
    reached: bool = False

    def cell(self, size: int) -> int:
        row = self.row
        if self.owner == 1:
            row = 3 - row
        return row * size + self.column

    def view(self) -> dict[str, Any]:
        colour = "Red" if self.owner == 1 else "Blue"
        return {"color": colour, "inMotion": self.moved, "reachedLastRow": self.reached}

    def steps(self, value: int, size: int) -> Iterator[Piece]:
        """Where the piece would be after `value` cells, paying no heed to any other piece."""
        if not self.moved and value != 1:
            return
        column = self.column + value
        if column < size:
            yield self.put(self.row, column)
            return
        column = column - size
        if self.row == 0:
            yield self.put(1, column)
        if self.row == 1:
            yield self.put(2, column)
        if self.row == 2:
            yield self.put(1, column)
            if not self.reached:
                yield self.put(3, column)
        if self.row == 3:
            yield self.put(2, column)

    def put(self, row: int, column: int) -> Piece:
        reached = self.reached or row == 3
        return Piece(self.owner, row, column, moved=True, reached=reached)


def value_of(sticks: tuple[bool, ...]) -> int:
    lights = sum(1 for light in sticks if light)
    return 6 if lights == 0 else lights


@dataclass(frozen=True)
class NaiveTab:
    size: int
    pieces: list[Piece] = field(default_factory=list)
    turn: int = 0
    sticks: tuple[bool, ...] | None = None

    @staticmethod
    def start(size: int) -> NaiveTab:
        pieces = [Piece(owner, 0, column) for owner in (0, 1) for column in range(size)]
        return NaiveTab(size, pieces)

    @staticmethod
    def from_view(view: dict[str, Any]) -> NaiveTab:
        size = len(view["pieces"]) // 4
        pieces = []
        for cell, piece in enumerate(view["pieces"]):
            if piece is not None:
                owner = 0 if piece["color"] == "Blue" else 1
                row = cell // size if owner == 0 else 3 - cell // size
                flags = piece["inMotion"], piece["reachedLastRow"]
                pieces.append(Piece(owner, row, cell % size, *flags))
        sticks = tuple(view["dice"]["stickValues"]) if view["dice"] else None
        return NaiveTab(size, pieces, view["turn"] or 0, sticks)

    def view(self) -> dict[str, Any]:
        cells: list[Any] = [None] * (4 * self.size)
        for piece in self.pieces:
            assert cells[piece.cell(self.size)] is None
            cells[piece.cell(self.size)] = piece.view()
        over = self.winner() is not None
        dice = None
        if self.sticks is not None:
            dice = {
                "stickValues": list(self.sticks),
                "value": value_of(self.sticks),
                "keepPlaying": self.throws_again(),
            }
        return {
            "pieces": cells,
            "turn": None if over else self.turn,
            "dice": dice,
            "mustPass": self.turn if self.plies() == [("pass",)] else None,
        }

    def winner(self) -> int | None:
        owners = {piece.owner for piece in self.pieces}
        return owners.pop() if len(owners) == 1 else None

    def throws_again(self) -> bool:
        return self.sticks is not None and value_of(self.sticks) in (1, 4, 6)

    def steps(self) -> list[tuple[Piece, Piece]]:
        """Every legal move, as the piece before and after it."""
        mine = [piece for piece in self.pieces if piece.owner == self.turn]
        somebody_home = any(piece.row == 0 for piece in mine)
        assert self.sticks is not None
        found: list[tuple[Piece, Piece]] = []
        for piece in mine:
            if piece.row == 3 and somebody_home:
                continue
            found += [(piece, after) for after in piece.steps(value_of(self.sticks), self.size)]
        taken = [(piece.row, piece.column) for piece in mine]
        return [(piece, after) for piece, after in found if (after.row, after.column) not in taken]

    def plies(self) -> list[Ply]:
        """All that can follow; a throw as each of its five values once."""
        if self.winner() is not None:
            return []
        throws = [("roll", tuple(i < lights for i in range(4))) for lights in range(5)]
        if self.sticks is None:
            return throws
        moves = [("move", a.cell(self.size), b.cell(self.size)) for a, b in self.steps()]
        if moves:
            return moves
        return throws if self.throws_again() else [("pass",)]

    def play(self, ply: Ply) -> NaiveTab:
        """The position after one of `plies()`, or after any of the 16 throws."""
        if ply[0] == "roll":
            return replace(self, sticks=ply[1])
        if ply[0] == "pass":
            return replace(self, turn=1 - self.turn, sticks=None)
        for before, after in self.steps():
            if ply == ("move", before.cell(self.size), after.cell(self.size)):
                target = after.cell(self.size)
                others = [p for p in self.pieces if p != before and p.cell(self.size) != target]
                turn = self.turn if self.throws_again() else 1 - self.turn
                return NaiveTab(self.size, [*others, after], turn)
        raise ValueError(ply)


def naive_perft(position: NaiveTab, depth: int) -> int:
    """How many leaves the tree of plies has at `depth`."""
    if depth == 0:
        return 1
    return sum(naive_perft(position.play(ply), depth - 1) for ply in position.plies())


ALL_THROWS = list(product((False, True), repeat=4))


def view_of(text: str, turn: int = 0, value: int | None = None, size: int = 9) -> dict[str, Any]:
    """The view of a position written as its pieces: `b0 B25 R*3`, letters as in the drawing."""
    cells: list[Any] = [None] * (4 * size)
    for letter, star, cell in re.findall(r"([bBrR])(\*?)(\d+)", text):
        assert cells[int(cell)] is None
        cells[int(cell)] = {
            "color": "Red" if letter in "rR" else "Blue",
            "inMotion": letter.isupper(),
            "reachedLastRow": star == "*",
        }
    return {"pieces": cells, "turn": turn, "dice": value and {"value": value}}
