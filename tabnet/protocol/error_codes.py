"""Every code of an error on the wire: those of all kinds of games, and those of one kind."""

from __future__ import annotations

from tabnet import errors
from tabnet.games import GAMES

CODES = {
    code: meaning
    for codes in (errors.CODES, *(game.codes for game in GAMES.values()))
    for code, meaning in codes.items()
}
