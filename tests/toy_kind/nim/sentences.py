"""The sentences that describe what happens in Nim."""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.terminal import Position

ENDINGS = {"last_stone": "the last stone is taken"}


def describe_move(event: Mapping[str, JSON], after: Position, before: Position | None) -> str:
    """Return how many stones a move took."""
    return f"took {event['take']}"
