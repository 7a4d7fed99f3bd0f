"""How the game of a situation begins. Pure."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from tabnet.games.api import Game, Roll, State
from tabnet.protocol.dice import Dice
from tabnet.server.core.matches.terms import Terms

Throw: TypeAlias = int | tuple[int, ...]


@frozen
class GameSetup:
    """The game of a situation; the bot has the first seat."""

    terms: Terms
    bot_is_auto: bool = True
    """The server makes the bot's rolls and passes."""
    position: State | None = None
    """None for the usual start."""
    throws: tuple[Throw, ...] = ()
    is_odd: bool = False
    """The bot's frames are written unusually, with unknown fields and unknown frames."""


@frozen
class LoadedDice(Dice):
    """Dice whose first throws are known."""

    throws: tuple[Throw, ...] = ()

    def throw(self, rules: Game, seat: int, number: int) -> Roll:
        if number < len(self.throws):
            return Roll(self.throws[number])
        return rules.read_roll(self.open_byte_stream(seat, number))
