"""The board of Tab: sticks, pieces, and tables of the destinations of pieces.

Cells are numbered along the rows, 0 at the bottom left as Blue sees the board. Each player counts
rows from the own home row, 0, to the last row, 3; in every row both move towards the higher number.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from attrs import frozen

from tabnet.games.api import Move

COLOURS = ("Blue", "Red")

EMPTY, UNMOVED, IN_MOTION, REACHED = range(4)
"""The stages of a piece. On the board a piece is one byte: `SEAT * seat + stage`."""

SEAT = 4
OWN = (
    frozenset({UNMOVED, IN_MOTION, REACHED}),
    frozenset({SEAT + UNMOVED, SEAT + IN_MOTION, SEAT + REACHED}),
)
"""The bytes of each seat's pieces."""

# A throw is four bits, bit i set if stick i fell light side up; these two are indexed by it.
VALUE = tuple((6, 1, 2, 3, 4)[sticks.bit_count()] for sticks in range(16))
KEEP_PLAYING = tuple(value in (1, 4, 6) for value in VALUE)

WEIGHTS = {0b0000: 1, 0b0001: 4, 0b0011: 6, 0b0111: 4, 0b1111: 1}
"""One throw for each number of light sides, with how many of the 16 throws have that number."""

HOME, LAST = 0, 3
NEXT_ROWS = {HOME: (1,), 1: (2,), 2: (1, LAST), LAST: (2,)}


@frozen
class TabMove(Move):
    """A move of the piece on `cell` to `to`."""

    cell: int
    to: int


Table: TypeAlias = tuple[tuple[tuple[TabMove, ...], ...], ...]

the_move = cache(TabMove)
"""Returns the one object of each move, which all tables share."""


def is_size(value: object) -> bool:
    """Return whether a board can have this many columns."""
    return type(value) is int and value in range(7, 16, 2)


def mirror_row(row: int, seat: int) -> int:
    """Convert a row of the board to a row as `seat` counts it, or back."""
    return LAST - row if seat else row


def find_destinations(cell: int, size: int, seat: int, stage: int, value: int) -> tuple[int, ...]:
    """Return the cells that a throw of `value` leads to on an empty board; two at the fork."""
    if stage == UNMOVED and value != 1:
        return ()
    row = mirror_row(cell // size, seat)
    column = cell % size + value
    rows: tuple[int, ...] = (row,)
    if column >= size:
        column -= size
        rows = tuple(to for to in NEXT_ROWS[row] if to != LAST or stage != REACHED)
    return tuple(sorted(size * mirror_row(to, seat) + column for to in rows))


@cache
def move_table(size: int, seat: int, value: int, last_row_open: bool) -> Table:
    """Return the moves of `seat` with a throw of `value`, as `table[byte of the piece][cell]`.

    Bytes that are not a piece of the seat have no moves. Unless `last_row_open`, pieces in the last
    row have none either.
    """

    def moves(byte: int, cell: int) -> tuple[TabMove, ...]:
        if byte not in OWN[seat] or (mirror_row(cell // size, seat) == LAST and not last_row_open):
            return ()
        targets = find_destinations(cell, size, seat, byte % SEAT, value)
        return tuple(the_move(cell, to) for to in targets)

    return tuple(tuple(moves(byte, cell) for cell in range(4 * size)) for byte in range(2 * SEAT))
