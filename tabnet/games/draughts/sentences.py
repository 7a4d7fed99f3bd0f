"""The sentences that describe what happens in draughts."""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.draughts.typed_moves import list_cells
from tabnet.games.terminal import Position

ENDINGS = {
    "no_pieces": "the other side has no piece left",
    "no_moves": "the other side cannot move",
    "repetition": "the position occurred for the third time",
    "forty_moves": "40 moves by each side without a capture or a man's move",
}


def describe_move(event: Mapping[str, JSON], after: Position, before: Position | None) -> str:
    played = f"played {' to '.join(list_cells(event))}"
    taken = 0 if before is None else after["board"].count("0") - before["board"].count("0")
    return played + {0: "", 1: ", a capture"}.get(taken, f", {taken} captures")
