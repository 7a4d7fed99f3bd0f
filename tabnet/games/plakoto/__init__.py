"""Plakoto, one of the games of Greek tavli: checkers pin instead of hitting."""

from __future__ import annotations

from tabnet.games.plakoto.board import COUNT, FIRST, OFF, PINNING, THEIRS, PlakotoMove, turned
from tabnet.games.plakoto.fields import PlakotoOptions
from tabnet.games.plakoto.game import PLAKOTO, Plakoto
from tabnet.games.plakoto.state import PlakotoState

__all__ = [
    "COUNT",
    "FIRST",
    "OFF",
    "PINNING",
    "PLAKOTO",
    "THEIRS",
    "Plakoto",
    "PlakotoMove",
    "PlakotoOptions",
    "PlakotoState",
    "turned",
]
