"""The moves of Fish as a person types them.

A tile is named by a letter for its place in the row, and the number of the row.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.fish.board import FIRST, get_column_letter
from tabnet.games.terminal import Turn, complete_route

PLACING = "choose a place for a new piece"


def name_tile(spot: Mapping[str, int]) -> str:
    return f"{get_column_letter(spot['col'])}{spot['row']}"


def parse_tile_name(name: str) -> dict[str, int]:
    return {"row": int(name[1:]), "col": ord(name[0]) - FIRST}


def list_cells(move: Mapping[str, JSON]) -> tuple[str, ...]:
    return tuple(name_tile(move[name]) for name in ("place", "from", "to") if name in move)


def read_move(cells: list[str], turn: Turn) -> dict[str, JSON]:
    """Read a tile to place a penguin on, or a penguin's tile and, if it has a choice, another."""
    if len(cells) > 2 or any(cell.isdecimal() for cell in cells):
        raise ValueError(f"a tile is written like c3; {turn.demand}")
    route = cells if turn.is_placing and len(cells) == 1 else complete_route(cells, turn)
    names = ("place",) if len(route) == 1 else ("from", "to")
    return dict(zip(names, map(parse_tile_name, route), strict=True))
