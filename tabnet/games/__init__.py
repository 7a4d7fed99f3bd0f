"""Every kind of game, one package each. No I/O, no clock, no randomness.

`GAMES` maps each kind to its `Game`; `tabnet.games.api` is the contract of all kinds. The packages
do not import each other, and have the same modules, which CONTRIBUTING.md describes. Every kind may
import the modules of this package that belong to no kind.
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
