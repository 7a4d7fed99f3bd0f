"""Tab drawn for a terminal."""

from __future__ import annotations

from typing import Any

from tabnet.games.tab.view import NAMES
from tabnet.games.terminal import SHADES, Marks, Position, Row, draw_chip

PIECE_TEXTS = {"Blue": ("b ", "B ", "B*"), "Red": ("r ", "R ", "R*")}
PIECE_STYLES = {
    "Blue": ("grey82 on navy_blue", "bold bright_white on dodger_blue3", "bold black on sky_blue1"),
    "Red": ("grey82 on dark_red", "bold bright_white on red3", "bold black on light_coral"),
}
"""The styles of a piece by its stage: unmoved, in motion, was in the last row."""
STYLES = {"Blue": "bold bright_white on dodger_blue3", "Red": "bold bright_white on red3"}

LEGEND = "b r not moved   B R in motion   B* R* been in the last row"
WIDEST, NARROWEST = 6, 4
"""The columns of a cell."""


def draw_in_terminal(position: Position, seat: int, marks: Marks, columns: int) -> list[Row]:
    """Draw four rows of numbered cells with their directions, and the sticks."""
    pieces = position["pieces"]
    size = len(pieces) // 4
    width = max(NARROWEST, min(WIDEST, (columns - 3) // size))
    rows: list[Row] = []
    for row, cells in _list_rows_of_cells(size, seat):
        way = "→" if cells[0] < cells[-1] else "←"
        numbers: list[tuple[str, str]] = []
        chips: list[tuple[str, str]] = []
        for column, cell in enumerate(cells):
            shade = SHADES[(row + column) % 2]
            numbers.append((_number_cell(cell, width), shade))
            around = marks.choose_marks_around(str(cell))
            chips += draw_chip(_draw_piece(pieces[cell]), around, width, shade)
        rows += [((" ", ""), *numbers, (f" {way}", "dim")), ((" ", ""), *chips)]
    return [*rows, ((f" {LEGEND}", "dim"),), (), draw_sticks(position["dice"])]


def _list_rows_of_cells(size: int, seat: int) -> list[tuple[int, list[int]]]:
    """Return the cells of each row from the top left, as that seat sees them."""
    rows = []
    for row in (3, 2, 1, 0):
        cells = list(range(size * row, size * (row + 1)))
        rows.append((row, cells[::-1] if row % 2 else cells))
    if seat == 1:
        return [(row, cells[::-1]) for row, cells in rows[::-1]]
    return rows


def _draw_piece(piece: dict[str, Any] | None) -> tuple[str, str]:
    if piece is None:
        return "  ", ""
    stage = piece["inMotion"] + piece["reachedLastRow"]
    return PIECE_TEXTS[piece["color"]][stage], PIECE_STYLES[piece["color"]][stage]


def _number_cell(cell: int, width: int) -> str:
    """Return the number of a cell, where `draw_chip` puts its piece."""
    return f"{'':{(width - 4) // 2 + 1}}{cell}".ljust(width)


def draw_sticks(dice: dict[str, Any] | None) -> Row:
    """Return how the sticks lie, and their value."""
    if dice is None:
        return ((" Sticks: not thrown", "dim"),)
    lying: list[tuple[str, str]] = []
    for light in dice["stickValues"]:
        side = (" light ", "black on wheat1") if light else (" dark ", "bright_white on orange4")
        lying += [side, (" ", "")]
    worth = f"= {dice['value']} ({NAMES[dice['value']]})"
    again = ", and another throw" if dice["keepPlaying"] else ""
    return ((" Sticks: ", ""), *lying, (worth, "bold"), (again, ""))
