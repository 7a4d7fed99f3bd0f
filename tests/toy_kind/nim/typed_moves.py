"""The moves of Nim as a person types them."""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.terminal import Turn


def list_cells(move: Mapping[str, JSON]) -> tuple[str, ...]:
    """Return the number of stones."""
    return (str(move["take"]),)


def read_move(cells: list[str], turn: Turn) -> dict[str, JSON]:
    """Read a number of stones."""
    if len(cells) != 1 or not cells[0].isdecimal() or len(cells[0]) > 3:
        raise ValueError(f"a move is a number; {turn.demand}")
    return {"take": int(cells[0])}
