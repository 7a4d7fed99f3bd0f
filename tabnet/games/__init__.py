"""The rules of every game. No I/O, no clock, no randomness.

`GAMES` maps each kind's name to its `Game`; `tabnet.games.api` is the contract they all keep.
"""

from __future__ import annotations

from tabnet.games.api import Game
from tabnet.games.draughts import DRAUGHTS
from tabnet.games.fish import FISH
from tabnet.games.plakoto import PLAKOTO
from tabnet.games.tab import TAB

GAMES: dict[str, Game] = {game.kind: game for game in (TAB, DRAUGHTS, FISH, PLAKOTO)}

DEFAULT_KIND = TAB.kind
"""The kind of a `join` that names none."""

__all__ = ["DEFAULT_KIND", "GAMES"]
