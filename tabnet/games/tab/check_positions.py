"""The positions of Tab in which `tabnet check` tries a bot."""

from __future__ import annotations

from typing import Any

from tabnet.games.check_positions import CheckPosition
from tabnet.games.tab.fields import TabOptions
from tabnet.games.tab.load import load_position
from tabnet.games.tab.state import TabState

NO_LIGHT, ONE_LIGHT, TWO_LIGHT, THREE_LIGHT = 0b0000, 0b0001, 0b0011, 0b0111
"""Throws worth 6, 1, 2 and 3; the first two give another throw."""


def make_fork_position(options: TabOptions) -> TabState:
    """Return a position with Blue's only piece two cells before the end of its third row."""
    piece = {"inMotion": True, "reachedLastRow": False}
    pieces: list[Any] = [None] * (4 * options.size)
    pieces[3 * options.size - 2] = {"color": "Blue", **piece}
    pieces[2 * options.size - 2] = {"color": "Red", **piece}
    return load_position({"pieces": pieces})


ROLL = ("roll", 1, "a roll")
MOVE = ("move", 1, "a move")

CHECK_POSITIONS = (
    CheckPosition(
        "a forced pass", (ROLL, ("pass", 1, "a pass: nothing can be moved")), throws=(TWO_LIGHT,)
    ),
    CheckPosition(
        "an extra throw",
        (ROLL, ("roll", 2, "another roll: nothing can be moved"), MOVE),
        throws=(NO_LIGHT, ONE_LIGHT),
    ),
    CheckPosition(
        "two destinations", (MOVE,), make_fork_position, (THREE_LIGHT,), quiet_after=True
    ),
    CheckPosition(
        "a draw is offered",
        (MOVE,),
        make_fork_position,
        (THREE_LIGHT,),
        draw_offered=True,
        quiet_after=True,
    ),
)
