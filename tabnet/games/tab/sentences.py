"""The sentences that describe what happens in Tab."""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.tab.typed_moves import list_cells
from tabnet.games.tab.view import name_throw
from tabnet.games.terminal import Position

ENDINGS = {"all_captured": "the other side has no piece left"}


def describe_move(event: Mapping[str, JSON], after: Position, before: Position | None) -> str:
    played = f"played {' to '.join(list_cells(event))}"
    if before is None or _count_pieces(after) == _count_pieces(before):
        return played
    return f"{played}, a capture"


def _count_pieces(position: Position) -> int:
    return sum(piece is not None for piece in position["pieces"])


def describe_roll(dice: JSON) -> str:
    if dice is None:
        return "the dice"
    sides = " ".join("light" if light else "dark" for light in dice["stickValues"])
    return f"{name_throw(dice['value'])}: {sides}"
