"""Tab: four sticks serve as dice, and the player who loses the last piece loses the game."""

from __future__ import annotations

from tabnet.games.tab.board import OWN, VALUE, WEIGHTS, TabMove, move_table
from tabnet.games.tab.fields import TabOptions
from tabnet.games.tab.game import TAB, Tab
from tabnet.games.tab.state import TabState

__all__ = [
    "OWN",
    "TAB",
    "VALUE",
    "WEIGHTS",
    "Tab",
    "TabMove",
    "TabOptions",
    "TabState",
    "move_table",
]
