"""Nim with a die: the player who takes the last stone wins."""

from __future__ import annotations

from tabnet.games.nim.game import NIM
from tabnet.games.nim.state import NimState, Take

__all__ = ["NIM", "NimState", "Take"]
