"""Fish: penguins slide over the ice and collect the tiles that they leave."""

from __future__ import annotations

from tabnet.games.fish.board import PENGUIN, FishMove, Place, Slide, Spot
from tabnet.games.fish.fields import FishOptions
from tabnet.games.fish.game import FISH, Fish
from tabnet.games.fish.state import FishState

__all__ = [
    "FISH",
    "PENGUIN",
    "Fish",
    "FishMove",
    "FishOptions",
    "FishState",
    "Place",
    "Slide",
    "Spot",
]
