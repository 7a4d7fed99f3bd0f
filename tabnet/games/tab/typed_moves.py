"""The moves of Tab as a person types them."""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.terminal import Turn


def list_cells(move: Mapping[str, JSON]) -> tuple[str, ...]:
    return str(move["cell"]), str(move["to"])


def read_move(cells: list[str], turn: Turn) -> dict[str, JSON]:
    """Read a piece or a destination alone, or both; the server says whether it can be played."""
    if len(cells) > 2 or not all(cell.isdecimal() and len(cell) < 6 for cell in cells):
        raise ValueError(f"a cell is a number; {turn.demand}")
    return dict(zip(("cell", "to"), map(int, cells), strict=False))
