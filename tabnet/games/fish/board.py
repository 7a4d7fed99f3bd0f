"""The board of Fish: tiles in a hexagonal grid, and the lines along which penguins slide.

Odd rows are shifted to the right by half a tile. Measured in half tiles across and in rows down,

    (0,0)       (2,0)       (4,0)       even rows
          (1,1)       (3,1)       (5,1)       odd rows
    (0,2)       (2,2)       (4,2)

each of the six directions is the same step from every tile.

Cells are numbered row by row. A cell is a byte: 0 for a hole, else the fish of its tile, plus
`PENGUIN` if a penguin stands there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from attrs import frozen

from tabnet.games.api import Move

COLOURS = ("red", "white", "brown", "black")

LARGEST = 25
"""The greatest number of rows, and of columns."""
FIRST = ord("a")
"""The letter of the first column."""
PENGUIN = 128
MOST_FISH = PENGUIN - 1
"""The greatest number of fish on a tile."""

STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The steps N, NE, SE, S, SW, NW, in half tiles across and rows down."""


def get_column_letter(col: int) -> str:
    """Return the letter that names a place in a row."""
    return chr(FIRST + col)


class Spot(NamedTuple):
    """A place on the board, in rows and columns from 0 at the top left."""

    row: int
    col: int

    def __str__(self) -> str:
        """Return the name of the place, like d0; large or negative numbers have no letter."""
        if self.row in range(LARGEST) and self.col in range(LARGEST):
            return f"{get_column_letter(self.col)}{self.row}"
        return f"row {self.row}, col {self.col}"


@frozen(cache_hash=True)
class Place(Move):
    """The placement of a new penguin."""

    at: Spot

    def __str__(self) -> str:
        return f"place at {self.at}"


@frozen(cache_hash=True)
class Slide(Move):
    """A straight move; the player collects the tile at `start` with its fish."""

    start: Spot
    end: Spot

    def __str__(self) -> str:
        return f"{self.start} to {self.end}"


FishMove: TypeAlias = Place | Slide


@frozen(cache_hash=True)
class Sea:
    """The part of a position that never changes."""

    rows: int
    cols: int
    penguins: int
    """The number of penguins that each player places."""
    colours: tuple[str, ...]
    """The players' colours, in seat order."""

    def find_cell(self, spot: Spot) -> int | None:
        """Return the number of a place, or None if it is not on the board."""
        if spot.row in range(self.rows) and spot.col in range(self.cols):
            return spot.row * self.cols + spot.col
        return None

    def find_spot(self, cell: int) -> Spot:
        return Spot(*divmod(cell, self.cols))


Line: TypeAlias = tuple[tuple[int, Slide], ...]
"""The cells in one direction, nearest first, each with the slide that ends there."""


@lru_cache(4096)
def find_lines_from_cell(rows: int, cols: int, cell: int) -> tuple[Line, ...]:
    """Return all lines from a cell that have cells, in the order of `STEPS`."""
    found = (_make_line(rows, cols, Spot(*divmod(cell, cols)), *step) for step in STEPS)
    return tuple(line for line in found if line)


def _make_line(rows: int, cols: int, start: Spot, across: int, down: int) -> Line:
    line = []
    row, halves = start.row + down, 2 * start.col + start.row % 2 + across
    while row in range(rows) and halves // 2 in range(cols):
        end = Spot(row, halves // 2)
        line.append((row * cols + end.col, Slide(start, end)))
        row, halves = row + down, halves + across
    return tuple(line)


@lru_cache(4096)
def find_nearest_cells(rows: int, cols: int, cell: int) -> tuple[int, ...]:
    """Return the first cell of each line: a penguin that can move can move to one of these."""
    return tuple(line[0][0] for line in find_lines_from_cell(rows, cols, cell))


@lru_cache(4096)
def find_ways_from_cell(rows: int, cols: int, cell: int) -> dict[int, tuple[int, ...]]:
    """Return cell -> all cells on the way to it, itself the last, for the lines from a cell."""
    return {
        line[reached][0]: tuple(to for to, _ in line[: reached + 1])
        for line in find_lines_from_cell(rows, cols, cell)
        for reached in range(len(line))
    }


@lru_cache(64)
def list_placements(rows: int, cols: int) -> tuple[Place, ...]:
    return tuple(Place(Spot(row, col)) for row in range(rows) for col in range(cols))
