"""The bots of the house: which can be asked for, who of them is free, who waits for a game. Pure.

Each has nicks of its own and plays one game at a time under each, in a process that is a client
like any other. It registers, says `join`, whatever the fields, and is answered when there is a game
in which its seat is. Games do not wait: they begin, and after a restart go on, before it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define, field

from tabnet.errors import Refused, shown
from tabnet.protocol.messages import Join
from tabnet.server.core.addressing import Request
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.lobby import Player
from tabnet.server.core.nick_rules import HOUSE


def nicks_of(name: str, games: int) -> tuple[str, ...]:
    """Under which nicks a bot plays that many games."""
    return tuple(f"{HOUSE}{name}.{number}" for number in range(1, games + 1))


def _nobody(_: str) -> None:
    """Calls nobody."""


@define
class HouseBots:
    """Who can be asked for; without bots, nobody."""

    bots: dict[str, tuple[str, ...]] = field(factory=dict)
    """The nicks of each, by the name under which it is offered."""
    call: Callable[[str], None] = _nobody
    """Told which nick is to ask for a game soon."""
    _asking: dict[str, Request[Join]] = field(factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """What `opponent` in a join may be."""
        return tuple(self.bots)

    @property
    def nicks(self) -> list[str]:
        """All nicks of all bots."""
        return [nick for nicks in self.bots.values() for nick in nicks]

    def players(self, name: str, number: int, games: GameIndex) -> list[Player]:
        """So many players of a bot that play nothing, those first who wait for a game."""
        if name not in self.bots:
            hint = f"one of: {' '.join(self.bots)}" if self.bots else "this server offers none"
            text = f"unknown opponent {shown(name)}"
            raise Refused("unknown_opponent", text, field="opponent", hint=hint)
        free = self._free(name, games)
        if len(free) < number:
            others = [other for other in self.bots if len(self._free(other, games)) >= number]
            hint = f"one of: {' '.join(others)}" if others else "try again later"
            text = f"{name} plays as many games as it can"
            raise Refused("busy", text, field="opponent", hint=hint)
        return [Player(nick, ranked=False, auto=True) for nick in free[:number]]

    def _free(self, name: str, games: GameIndex) -> list[str]:
        free = [nick for nick in self.bots[name] if not games.games_of(nick)]
        return sorted(free, key=lambda nick: not self.is_asking(nick))

    # The processes

    def ask(self, nick: str, request: Request[Join]) -> None:
        """A process waits for a game; the one before it under that nick is forgotten."""
        self._asking[nick] = request

    def is_asking(self, nick: str | None) -> bool:
        """Whether a process waits for a game under that nick."""
        return nick in self._asking

    def take(self, nick: str) -> Request[Join] | None:
        """The join that is to be answered now; without one the nick is called."""
        asked = self._asking.pop(nick, None)
        if asked is None:
            self.call(nick)
        return asked

    def relieve(self, nick: str, games: GameIndex) -> None:
        """A process plays now under that nick: the next one is called, to be there in time."""
        for name, nicks in self.bots.items():
            if nick in nicks:
                for free in self._free(name, games)[:1]:
                    self.call(free)

    def gone(self, session: int) -> None:
        """A connection has ended."""
        self._asking = {
            nick: asked for nick, asked in self._asking.items() if asked.session.id != session
        }

    def recall(self, players: Iterable[str]) -> None:
        """A game is over: bots among its players are to ask for another."""
        nicks = self.nicks
        for nick in players:
            if nick in nicks:
                self.call(nick)
