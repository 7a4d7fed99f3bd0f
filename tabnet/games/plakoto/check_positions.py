"""The positions of Plakoto in which `tabnet check` tries a bot."""

from __future__ import annotations

from typing import Any

from tabnet.games.check_positions import CheckPosition
from tabnet.games.plakoto.fields import PlakotoOptions
from tabnet.games.plakoto.load import load_position
from tabnet.games.plakoto.state import PlakotoState


def make_walled_in_position(_: PlakotoOptions) -> PlakotoState:
    """Return a position in which Black's six points in front of White leave no throw to play."""
    points: list[Any] = [None] * 24
    points[0] = {"owner": "White", "count": 15}
    points[1:7] = [{"owner": "Black", "count": 2}] * 6
    points[7] = {"owner": "Black", "count": 3}
    return load_position({"points": points})


ROLL = ("roll", 1, "a roll")

CHECK_POSITIONS = (
    CheckPosition(
        "a forced pass",
        (ROLL, ("pass", 1, "a pass: nothing can be moved")),
        make_walled_in_position,
    ),
    CheckPosition(
        "a double",
        (ROLL, ("move", 4, "four moves: a double is played four times")),
        throws=((3, 3),),
    ),
)
