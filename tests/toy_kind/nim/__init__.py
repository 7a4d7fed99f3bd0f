"""Nim with a die: the player who takes the last stone wins."""

from __future__ import annotations

from tabnet.games.nim.game import NIM

__all__ = ["NIM"]
