"""The board of draughts: its dark squares as bits, the possible moves, boards as texts.

Two ranks take nine bits, four each and one that stays unused:

    rank 8    32  33  34  35          b8  d8  f8  h8
    rank 7  27  28  29  30          a7  c7  e7  g7
    ...
    rank 2     5   6   7   8          b2  d2  f2  h2
    rank 1   0   1   2   3          a1  c1  e1  g1

Therefore a step up the board is a shift by 4 (to the left) or by 5 (to the right) from every
square. A step down is the opposite shift. A step off the side of the board ends on an unused bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, TypeAlias

from attrs import field, frozen

from tabnet.errors import InvalidMove, quote
from tabnet.games.api import JSON, Move
from tabnet.games.json_checks import refuse_position

if TYPE_CHECKING:
    from attrs import Attribute

Jumps: TypeAlias = dict[int, tuple[tuple[int, int], ...]]
"""The jumps from a square, as bits (jumped over, landed on), by the bit of the square."""

COLOURS = ("White", "Black")

FILES, RANKS = "abcdefgh", "12345678"


def _compute_bit(name: str) -> int:
    """Return the bit of a dark square, or 0 for a light one."""
    file, rank = FILES.index(name[0]), RANKS.index(name[1])
    if (file + rank) % 2:
        return 0
    return 1 << (rank // 2 * 9 + rank % 2 * 5 + file // 2)


BITS: dict[str, int] = {
    file + rank: _compute_bit(file + rank) for rank, file in product(RANKS[::-1], FILES)
}
"""The bit of every square by its name, 0 for a light one; in the order of a board text."""

NAMES: dict[int, str] = {bit: name for name, bit in BITS.items() if bit}

BOARD = sum(NAMES)
TOP, BOTTOM = 0b1111 << 32, 0b1111

START = "0b0b0b0bb0b0b0b00b0b0b0b0000000000000000w0w0w0w00w0w0w0ww0w0w0w0"

UP: Jumps = {
    bit: tuple(
        (bit << n, bit << 2 * n) for n in (4, 5) if bit << n & BOARD and bit << 2 * n & BOARD
    )
    for bit in NAMES
}
DOWN: Jumps = {
    bit: tuple(
        (bit >> n, bit >> 2 * n) for n in (5, 4) if bit >> n & BOARD and bit >> 2 * n & BOARD
    )
    for bit in NAMES
}
BOTH: Jumps = {bit: UP[bit] + DOWN[bit] for bit in NAMES}

ROUTE_HINT = 'like ["c3","e5","g7"]'

Change: TypeAlias = tuple[int, int, int]
"""The effect of a move on the board, as bits: start, destination, captured pieces."""


def _convert_to_tuple(squares: Iterable[str]) -> tuple[str, ...]:
    return tuple(squares)


def _check_route(_: DraughtsMove, __: Attribute[tuple[str, ...]], route: tuple[str, ...]) -> None:
    problem = "a route is a list of two squares or more" if len(route) < 2 else None
    for square in route:
        if not isinstance(square, str) or square not in BITS:
            problem = f"{quote(square)} is no square"
    if problem:
        raise InvalidMove(problem, field="route", hint=ROUTE_HINT)


@frozen(cache_hash=True)
class DraughtsMove(Move):
    """A whole move: every square the piece touches, `("c3", "e5", "g7")`."""

    route: tuple[str, ...] = field(converter=_convert_to_tuple, validator=_check_route)

    def __str__(self) -> str:
        return " ".join(self.route)


@lru_cache(4096)
def find_move(route: tuple[str, ...]) -> DraughtsMove:
    """Return a move; equal moves are one cached object, because moves are created most often."""
    return DraughtsMove(route)


@lru_cache(4096)
def make_move_along(*route: int) -> DraughtsMove:
    """Return the move along these bits."""
    return find_move(tuple(NAMES[bit] for bit in route))


def _make_step_table(shift: int) -> dict[int, tuple[DraughtsMove, Change]]:
    """Return all steps by `shift` bits (upwards if positive), by the destination."""
    ends = {bit: bit << shift if shift > 0 else bit >> -shift for bit in NAMES}
    steps = [(bit, end) for bit, end in ends.items() if end & BOARD]
    return {end: (make_move_along(bit, end), (bit, end, 0)) for bit, end in steps}


_TABLES = tuple(_make_step_table(shift) for shift in (4, 5, -5, -4))
STEPS = tuple({end: move for end, (move, _) in table.items()} for table in _TABLES)
"""The steps to the left and to the right, up and then down, by the destination."""
STEP_CHANGES = {move: change for table in _TABLES for move, change in table.values()}


@lru_cache(4096)
def find_change_of_capture(route: tuple[str, ...]) -> Change:
    """Return the effect of a capture along a route."""
    bits = [BITS[square] for square in route]
    taken = 0
    for at, to in pairwise(bits):
        taken |= next(over for over, end in BOTH[at] if end == to)
    return bits[0], bits[-1], taken


def find_captures(at: int, jumps: Jumps, enemy: int, empty: int) -> Iterator[list[int]]:
    """Yield every complete capture from `at`: the squares touched, last first.

    Nothing needs to stop a man that is crowned, because it has no further jump.
    """
    for over, end in jumps[at]:
        if over & enemy and end & empty:
            complete = True
            for route in find_captures(end, jumps, enemy ^ over, empty):
                complete = False
                route.append(at)
                yield route
            if complete:
                yield [end, at]


def count_captures(at: int, jumps: Jumps, enemy: int, empty: int) -> int:
    """Return the number of captures that `find_captures` yields, without creating them."""
    return sum(
        count_captures(end, jumps, enemy ^ over, empty) or 1
        for over, end in jumps[at]
        if over & enemy and end & empty
    )


def iterate_bits(bits: int) -> Iterator[int]:
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit


def write_board(white: int, black: int, kings: int) -> str:
    """Return the board as 64 characters of `0bBwW`, rank 8 first."""
    return "".join(
        "0" if not bit & (white | black) else "bBwW"[bool(bit & white) * 2 + bool(bit & kings)]
        for bit in BITS.values()
    )


def read_board(board: JSON, field: str) -> tuple[int, int, int]:
    """Return the white pieces, the black pieces and the kings of a board text; errors name `field`.

    A man may stand on its last rank, although no game leaves one there: it cannot move.
    """
    if not isinstance(board, str) or len(board) != 64 or not set(board) <= set("0bBwW"):
        text = "a board is 64 characters of 0, b, B, w and W, rank 8 first"
        refuse_position(field, text, f"like {START}")
    placed = dict.fromkeys("bBwW", 0)
    for piece, (name, bit) in zip(board, BITS.items(), strict=True):
        if piece != "0":
            if not bit:
                text = f"{name} is a light square: pieces stand on dark ones, like a1"
                refuse_position(field, text)
            placed[piece] |= bit
    white, black = placed["w"] | placed["W"], placed["b"] | placed["B"]
    _check_piece_count(white, black, field)
    return white, black, placed["W"] | placed["B"]


def _check_piece_count(white: int, black: int, field: str) -> None:
    for colour, pieces in (("white", white), ("black", black)):
        if pieces.bit_count() > 12:
            text = f"there are {pieces.bit_count()} {colour} pieces, and a side has at most 12"
            refuse_position(field, text)
    if not white | black:
        refuse_position(field, "there are no pieces on the board")
