"""Positions of Tab as JSON values, and drawn as text."""

from __future__ import annotations

from tabnet.games.api import JSON
from tabnet.games.tab.board import (
    COLOURS,
    EMPTY,
    IN_MOTION,
    KEEP_PLAYING,
    REACHED,
    SEAT,
    UNMOVED,
    VALUE,
)

NAMES = {1: "Tab", 2: "Itneyn", 3: "Telateh", 4: "Arba'ah", 6: "Sitteh"}
LETTERS = {UNMOVED: ("b", "r"), IN_MOTION: ("B", "R"), REACHED: ("B*", "R*")}
LEGEND = "      b r not moved yet   B R in motion   B* R* has been in the last row"


PIECES: dict[int, dict[str, JSON]] = {
    SEAT * seat + stage: {
        "color": colour,
        "inMotion": stage != UNMOVED,
        "reachedLastRow": stage == REACHED,
    }
    for seat, colour in enumerate(COLOURS)
    for stage in (UNMOVED, IN_MOTION, REACHED)
}


def dump_board(board: bytes) -> list[JSON]:
    """Return the cells of a board. Equal pieces are one object, which nobody may change."""
    return list(map(PIECES.get, board))


SIDES = tuple(tuple(bool(sticks >> i & 1) for i in range(4)) for sticks in range(16))
"""The sides of the four sticks, by the throw."""


def dump_dice(sticks: int | None) -> JSON:
    """Return a throw as its sticks, its value, and whether it gives another throw."""
    if sticks is None:
        return None
    return {
        "stickValues": list(SIDES[sticks]),
        "value": VALUE[sticks],
        "keepPlaying": KEEP_PLAYING[sticks],
    }


def format_board(board: bytes) -> str:
    """Draw the board as Blue sees it, with cell numbers at the ends of the rows, and directions."""
    size = len(board) // 4
    lines = []
    for row in (3, 2, 1, 0):
        cells = list(range(size * row, size * (row + 1)))
        arrow = ">"
        if row % 2:
            cells.reverse()
            arrow = "<"
        signs = "".join(f"{_choose_sign(board[cell]):3}" for cell in cells)
        lines.append(f"{cells[0]:4}  {signs}{cells[-1]:3} {arrow}")
    return "\n".join([*lines, LEGEND])


def _choose_sign(byte: int) -> str:
    if byte == EMPTY:
        return "."
    seat, stage = divmod(byte, SEAT)
    return LETTERS[stage][seat]


def name_throw(value: int) -> str:
    """Return a throw's value with its name in the game."""
    return f"{value} ({NAMES[value]})"
