"""Nim drawn for a terminal."""

from __future__ import annotations

from tabnet.games.terminal import Marks, Position, Row

STYLES = {"Amber": "bold black on orange1", "Jade": "bold black on green3"}


def draw_in_terminal(position: Position, seat: int, marks: Marks, columns: int) -> list[Row]:
    """Return the heap and the die, a line each."""
    heap = " ".join("o" * position["stones"]) or "no stone is left"
    return [((f" {heap}", ""),), ((f" Die: {position['dice'] or 'not thrown'}", "bold"),)]
