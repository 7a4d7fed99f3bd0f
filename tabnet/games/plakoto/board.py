"""The board of Plakoto: checkers on points, and the destinations that dice allow.

A board is 26 bytes, seen by one of the players: the own checkers run from point 1 to 24 and are
borne off to 25, the opponent's run down to 0. A byte is the number of checkers that hold the point,
plus `THEIRS` if they are the opponent's, plus `PINNING` if they pin a checker of the other player.

A set of points is an integer with a bit for each: bit e is the point e steps before 25.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from tabnet.games.api import Move

COLOURS = ("White", "Black")
CHECKERS = 15
FIRST, LAST, OFF = 1, 24, 25
"""The own first point, the opponent's first point, and the place of checkers borne off."""
THEIRS_OFF = 0
HOME = 6
"""The number of points before 25 from which checkers are borne off."""

COUNT, THEIRS, PINNING = 15, 16, 32
"""The parts of a byte."""

START = bytes([0, CHECKERS, *[0] * 22, THEIRS + CHECKERS, 0])


@frozen
class PlakotoMove(Move):
    """A move of one checker from `start` to `to`; 25 or 0 is off the board."""

    start: int
    to: int


MOVES = tuple(
    tuple(
        tuple(
            PlakotoMove(OFF - start, OFF - to) if turned else PlakotoMove(start, to)
            for to in range(OFF + 1)
        )
        for start in range(OFF + 1)
    )
    for turned in (False, True)
)
"""The moves by the seat that moves, and by the points as that seat counts them."""

_BYTES = range(2 * PINNING)
_HOLDING = [bool(byte & COUNT and not byte & THEIRS) for byte in _BYTES]
_CLOSED = [bool(byte & THEIRS and (byte & PINNING or byte & COUNT > 1)) for byte in _BYTES]
_PINNED = [bool(byte & THEIRS and byte & PINNING) for byte in _BYTES]

_TURNED = bytes(byte ^ THEIRS if byte else 0 for byte in _BYTES)
_LEFT = bytes({1: 0, PINNING + 1: THEIRS + 1}.get(byte, max(byte - 1, 0)) for byte in _BYTES)
_ENTERED = bytes({THEIRS + 1: PINNING + 1}.get(byte, byte + 1) for byte in _BYTES)
"""Tables that convert a byte: for the other player, after a checker left, after one came."""


def _make_digit_table(chosen: list[bool]) -> bytes:
    """Return the table for which `int(board.translate(...), 2)` is the set of such points."""
    return bytes(b"01"[one] for one in chosen).ljust(256, b"0")


_HOLDING_DIGITS, _CLOSED_DIGITS, _PINNED_DIGITS = map(
    _make_digit_table, (_HOLDING, _CLOSED, _PINNED)
)
_TURNED_BYTES = _TURNED.ljust(256, b"\0")
_ON_BOARD = (1 << OFF) - 2


def turned(board: bytes) -> bytes:
    """Return the board as the other player sees it."""
    return board.translate(_TURNED_BYTES)[::-1]


def move_checker(board: bytes, start: int, to: int) -> bytes:
    """Return the board after an own checker went from `start` to `to`."""
    after = bytearray(board)
    after[start] = _LEFT[after[start]]
    after[to] = _ENTERED[after[to]]
    return bytes(after)


def is_pinned(board: bytes, point: int) -> bool:
    return _PINNED[board[point]]


def is_closed(board: bytes, point: int) -> bool:
    """Return whether no own checker may go there."""
    return _CLOSED[board[point]]


def holds_free_checkers(board: bytes, point: int) -> bool:
    """Return whether unpinned own checkers stand there."""
    return _HOLDING[board[point]]


@frozen
class Survey:
    """The facts about a board that decide which checkers can move."""

    holding: int
    """The points with unpinned own checkers."""
    closed: int
    """The points that own checkers may not go to."""
    bearing_off: bool
    """True if all own checkers are at home and none is pinned."""

    @classmethod
    def survey_board(cls, board: bytes) -> Survey:
        holding = int(board.translate(_HOLDING_DIGITS), 2) & _ON_BOARD
        closed = int(board.translate(_CLOSED_DIGITS), 2)
        bearing_off = not holding >> HOME + 1 and b"1" not in board.translate(_PINNED_DIGITS)
        return cls(holding, closed, bearing_off)

    def find_movable_points(self, die: int) -> int:
        """Return the points from which a checker can be played with `die`."""
        inside = self.holding >> die + 1 << die + 1
        found = inside & ~(self.closed << die)
        if self.bearing_off:
            # A larger die than needed takes a checker off the farthest point only.
            found |= self.holding & 1 << die or (0 if inside else self._farthest_point)
        return found

    @property
    def _farthest_point(self) -> int:
        return 1 << self.holding.bit_length() >> 1


def iterate_points(points: int) -> Iterator[int]:
    """Yield the points of a set as numbers from 1 to 24."""
    while points:
        bit = points & -points
        yield OFF + 1 - bit.bit_length()
        points ^= bit


def find_ending(board: bytes) -> tuple[int | None, int, str] | None:
    """Return 1 if the own side won, 0 if it lost, None for a draw; the points; the reason.

    Return None while the game goes on.
    """
    ours, theirs = is_pinned(board, FIRST), board[LAST] >= PINNING
    if ours and theirs:
        return None, 0, "both_mothers"
    if theirs and not holds_free_checkers(board, FIRST):
        return 1, 2, "mother"
    if ours and not board[LAST] & THEIRS:
        return 0, 2, "mother"
    for won, off, other in ((1, OFF, THEIRS_OFF), (0, THEIRS_OFF, OFF)):
        if board[off] & COUNT == CHECKERS:
            return won, 1 if board[other] else 2, "borne_off"
    return None
