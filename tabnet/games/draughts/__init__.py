"""Draughts (checkers), as it is played in England and America."""

from __future__ import annotations

from tabnet.games.draughts.board import DraughtsMove
from tabnet.games.draughts.fields import DraughtsOptions
from tabnet.games.draughts.game import DRAUGHTS, Draughts
from tabnet.games.draughts.state import DraughtsState

__all__ = ["DRAUGHTS", "Draughts", "DraughtsMove", "DraughtsOptions", "DraughtsState"]
