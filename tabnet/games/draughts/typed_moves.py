"""The moves of draughts as a person types them."""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.terminal import Turn, complete_route


def list_cells(move: Mapping[str, JSON]) -> tuple[str, ...]:
    return tuple(move["route"])


def read_move(cells: list[str], turn: Turn) -> dict[str, JSON]:
    """Read a route; its beginning is enough if only one legal move begins so."""
    if any(cell.isdecimal() for cell in cells):
        raise ValueError(f"a square is written like c3; {turn.demand}")
    return {"route": list(complete_route(cells, turn))}
