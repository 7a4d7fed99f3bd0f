"""Draughts drawn for a terminal."""

from __future__ import annotations

from tabnet.games.terminal import Marks, Position, Row, draw_chip

PIECE_STYLES = {
    "w": "black on grey82",
    "W": "bold black on bright_white",
    "b": "bright_white on grey11",
    "B": "bold bright_white on black",
}
LEGEND = "w b men   W B kings"
STYLES = {"White": "bold black on grey82", "Black": "bold bright_white on grey11"}
LIGHT, DARK = "on tan", "grey74 on orange4"
SQUARE = 5
"""The columns of a square."""


def draw_in_terminal(position: Position, seat: int, marks: Marks, columns: int) -> list[Row]:  # noqa: ARG001 - it always fits
    """Draw eight ranks, with the names of files and ranks at their sides."""
    ranks, files = "87654321", "abcdefgh"
    if seat == 1:
        ranks, files = ranks[::-1], files[::-1]
    rows: list[Row] = []
    for rank in ranks:
        squares = [_draw_square(position["board"], file + rank, marks) for file in files]
        rows.append(((f" {rank} ", "dim"), *(part for square in squares for part in square)))
    names = "".join(f"{file:^{SQUARE}}" for file in files)
    return [*rows, ((f"   {names}", "dim"),), ((f" {LEGEND}", "dim"),)]


def _draw_square(board: str, name: str, marks: Marks) -> Row:
    file, rank = ord(name[0]) - ord("a"), int(name[1]) - 1
    if (file + rank) % 2:
        return ((" " * SQUARE, LIGHT),)
    piece = board[(7 - rank) * 8 + file].replace("0", ".")
    chip = (piece, PIECE_STYLES.get(piece, ""))
    return draw_chip(chip, marks.choose_marks_around(name), SQUARE, DARK)
