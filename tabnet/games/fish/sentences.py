"""The sentences that describe what happens in Fish."""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.fish.typed_moves import list_cells
from tabnet.games.terminal import Position

ENDINGS = {"no_moves": "nobody can move, and most fish win", "others_out": "all others are out"}


def describe_move(event: Mapping[str, JSON], after: Position, before: Position | None) -> str:
    cells = list_cells(event)
    if len(cells) == 1:
        return f"placed a penguin on {cells[0]}"
    played = f"played {' to '.join(cells)}"
    if before is None:
        return played
    return f"{played}, for {_count_fish(after) - _count_fish(before)} fish"


def _count_fish(position: Position) -> int:
    return sum(player["score"] for player in position["state"]["players"])
