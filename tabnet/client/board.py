"""Drawing positions for a terminal: the fields of an update to rows of styled text. Pure.

The letters and brackets alone say everything, so that the same rows serve without colour: `plain`
leaves the styles out. A new kind of game adds its function to `DRAW`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabnet.client.board_fish import draw_fish
from tabnet.client.marks import Marks, Position, Row, chip
from tabnet.games.tab.view import NAMES


def draw(position: Position, seat: int, marks: Marks, columns: int = 80) -> list[Row]:
    """The position as `seat` sees it, its own side at the bottom, in at most so many columns."""
    return DRAW[position["kind"]](position, seat, marks, columns)


# Tab

TAB_PIECES = {
    "Blue": ("b ", "B ", "B*"),
    "Red": ("r ", "R ", "R*"),
}
TAB_STYLES = {
    "Blue": ("grey82 on navy_blue", "bold bright_white on dodger_blue3", "bold black on sky_blue1"),
    "Red": ("grey82 on dark_red", "bold bright_white on red3", "bold black on light_coral"),
}
"""By what a piece has been through: nothing, in motion, has been in the last row."""

TAB_LEGEND = "b r not moved   B R in motion   B* R* been in the last row"
SHADES = ("grey66 on grey15", "grey66 on grey19")
WIDEST, NARROWEST = 6, 4
"""Columns of a cell of Tab."""


def draw_tab(position: Position, seat: int, marks: Marks, columns: int) -> list[Row]:
    """Four rows of numbered cells, which way they run, and the sticks."""
    pieces = position["pieces"]
    size = len(pieces) // 4
    width = max(NARROWEST, min(WIDEST, (columns - 3) // size))
    rows: list[Row] = []
    for row, cells in _tab_rows(size, seat):
        way = "→" if cells[0] < cells[-1] else "←"
        shades = [SHADES[(row + column) % 2] for column in range(size)]
        rows.append(
            (
                (" ", ""),
                *(
                    (_numbered(cell, width), shade)
                    for cell, shade in zip(cells, shades, strict=True)
                ),
                (f" {way}", "dim"),
            )
        )
        chips = [
            chip(_tab_piece(pieces[cell]), marks.around(str(cell)), width, shade)
            for cell, shade in zip(cells, shades, strict=True)
        ]
        rows.append(((" ", ""), *(part for chip in chips for part in chip)))
    return [*rows, ((f" {TAB_LEGEND}", "dim"),), (), sticks(position["dice"])]


def _tab_rows(size: int, seat: int) -> list[tuple[int, list[int]]]:
    """The cells of each row from the top left, as that seat sees them."""
    rows = []
    for row in (3, 2, 1, 0):
        cells = list(range(size * row, size * (row + 1)))
        rows.append((row, cells[::-1] if row % 2 else cells))
    if seat == 1:
        return [(row, cells[::-1]) for row, cells in rows[::-1]]
    return rows


def _tab_piece(piece: dict[str, Any] | None) -> tuple[str, str]:
    if piece is None:
        return "  ", ""
    stage = piece["inMotion"] + piece["reachedLastRow"]
    return TAB_PIECES[piece["color"]][stage], TAB_STYLES[piece["color"]][stage]


def _numbered(cell: int, width: int) -> str:
    """The number of a cell, where `chip` puts its piece."""
    return f"{'':{(width - 4) // 2 + 1}}{cell}".ljust(width)


def sticks(dice: dict[str, Any] | None) -> Row:
    """How the sticks lie and what they are worth."""
    if dice is None:
        return ((" Sticks: not thrown", "dim"),)
    lying: list[tuple[str, str]] = []
    for light in dice["stickValues"]:
        side = (" light ", "black on wheat1") if light else (" dark ", "bright_white on orange4")
        lying += [side, (" ", "")]
    worth = f"= {dice['value']} ({NAMES[dice['value']]})"
    again = ", and another throw" if dice["keepPlaying"] else ""
    return ((" Sticks: ", ""), *lying, (worth, "bold"), (again, ""))


# Draughts

DRAUGHTS_STYLES = {
    "w": "black on grey82",
    "W": "bold black on bright_white",
    "b": "bright_white on grey11",
    "B": "bold bright_white on black",
}
DRAUGHTS_LEGEND = "w b men   W B kings"
LIGHT, DARK = "on tan", "grey74 on orange4"
SQUARE = 5
"""Columns of a square of draughts."""


def draw_draughts(position: Position, seat: int, marks: Marks, columns: int) -> list[Row]:  # noqa: ARG001 - it always fits
    """Eight ranks with the names of files and ranks at their sides."""
    ranks, files = "87654321", "abcdefgh"
    if seat == 1:
        ranks, files = ranks[::-1], files[::-1]
    rows: list[Row] = []
    for rank in ranks:
        squares = [_square(position["board"], file + rank, marks) for file in files]
        rows.append(((f" {rank} ", "dim"), *(part for square in squares for part in square)))
    names = "".join(f"{file:^{SQUARE}}" for file in files)
    return [*rows, ((f"   {names}", "dim"),), ((f" {DRAUGHTS_LEGEND}", "dim"),)]


def _square(board: str, name: str, marks: Marks) -> Row:
    file, rank = ord(name[0]) - ord("a"), int(name[1]) - 1
    if (file + rank) % 2:
        return ((" " * SQUARE, LIGHT),)
    piece = board[(7 - rank) * 8 + file]
    if piece == "0":
        return chip((".", ""), marks.around(name), SQUARE, DARK)
    return chip((piece, DRAUGHTS_STYLES[piece]), marks.around(name), SQUARE, DARK)


# Plakoto

PLAKOTO_STYLES = {"White": "bold black on bright_white", "Black": "bold bright_white on grey11"}
PLAKOTO_LEGEND = "W White, to 25   B Black, to 0   * pins a checker of the other"
POINT = 6
"""Columns of a point of Plakoto."""


def draw_plakoto(position: Position, seat: int, marks: Marks, columns: int) -> list[Row]:  # noqa: ARG001 - it always fits
    """Two rows of numbered points, what is borne off, and the dice."""
    upper, lower = list(range(13, 25)), list(range(12, 0, -1))
    if seat == 1:
        upper, lower = lower[::-1], upper[::-1]
    off = ", ".join(
        f"{count} {colour}" for count, colour in zip(position["off"], PLAKOTO_STYLES, strict=True)
    )
    dice = " ".join(map(str, position["dice"] or ["not thrown"]))
    return [
        _point_numbers(upper),
        _points(position, upper, marks),
        (),
        _points(position, lower, marks),
        _point_numbers(lower),
        ((f" {PLAKOTO_LEGEND}", "dim"),),
        (),
        ((f" Dice: {dice}", "bold" if position["dice"] else "dim"), (f"   Off: {off}", "")),
    ]


def _point_numbers(points: list[int]) -> Row:
    numbers = "".join(f"{point:^{POINT}}" for point in points)
    return ((" ", ""), (numbers, "dim"))


def _points(position: Position, points: list[int], marks: Marks) -> Row:
    chips = [
        chip(_held(position["points"][point - 1]), marks.around(str(point)), POINT, SHADES[at % 2])
        for at, point in enumerate(points)
    ]
    return ((" ", ""), *(part for chip in chips for part in chip))


def _held(point: dict[str, Any] | None) -> tuple[str, str]:
    if point is None:
        return ".", ""
    pin = "*" if point["pinned"] else ""
    return f"{point['count']}{point['owner'][0]}{pin}", PLAKOTO_STYLES[point["owner"]]


DRAW: dict[str, Callable[[Position, int, Marks, int], list[Row]]] = {
    "tab": draw_tab,
    "draughts": draw_draughts,
    "fish": draw_fish,
    "plakoto": draw_plakoto,
}
"""How each kind of game is drawn."""
