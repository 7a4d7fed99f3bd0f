"""The sentences that describe what happens in Plakoto."""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.plakoto.typed_moves import list_cells
from tabnet.games.terminal import Position

ENDINGS = {
    "borne_off": "all checkers are borne off",
    "mother": "the mother is pinned",
    "both_mothers": "both mothers are pinned",
}


def describe_move(event: Mapping[str, JSON], after: Position, before: Position | None) -> str:
    played = f"played {' to '.join(list_cells(event))}"
    if before is None or _count_pins(after) <= _count_pins(before):
        return played
    return f"{played}, a pin"


def _count_pins(position: Position) -> int:
    return sum(point["pinned"] for point in position["points"] if point)


def describe_roll(dice: JSON) -> str:
    return "the dice" if dice is None else " and ".join(map(str, dice[:2]))
