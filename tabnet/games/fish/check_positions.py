"""The positions of Fish in which `tabnet check` tries a bot."""

from __future__ import annotations

from tabnet.games.check_positions import CheckPosition
from tabnet.games.fish.fields import FishOptions
from tabnet.games.fish.load import load_position
from tabnet.games.fish.state import FishState


def make_stuck_position(_: FishOptions) -> FishState:
    """Return a position where red has two slides in a corner, and white none in the other one."""
    board = [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0] * 5, [0, 0, 0, 0, 1]]
    corners = {"red": {"row": 0, "col": 0}, "white": {"row": 4, "col": 4}}
    players = [
        {"color": colour, "score": 0, "places": [place]} for colour, place in corners.items()
    ]
    return load_position({"state": {"board": board, "players": players}})


CHECK_POSITIONS = (
    CheckPosition(
        "others are skipped", (("move", 2, "another move: nobody else can"),), make_stuck_position
    ),
)
