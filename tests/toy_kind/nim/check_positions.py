"""The positions of Nim in which `tabnet check` tries a bot."""

from __future__ import annotations

from tabnet.games.nim.fields import NimOptions
from tabnet.games.nim.state import NimState

from tabnet.games.check_positions import CheckPosition


def one_stone(_: NimOptions) -> NimState:
    """Return a position with a single stone."""
    return NimState(1)


CHECK_POSITIONS = (
    CheckPosition("the last stone", (("roll", 1, "a roll"), ("move", 1, "a move")), one_stone),
)
