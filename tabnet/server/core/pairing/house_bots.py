"""House bots: the bots that a server offers, which of them are free, and who plays with them. Pure.

A house bot has nicks of its own and plays one game at a time under each, in a process that the
server starts. The process is a client like any other: it registers, sends `join`, whatever its
fields, and gets the reply when there is a game in which its seat is. Games do not wait for it: they
begin, and go on after a restart, before the process is there.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar

from attrs import define, evolve, field

from tabnet.errors import Refused, shown
from tabnet.protocol.fields import Clock
from tabnet.protocol.messages import Command, Join
from tabnet.server.core.addressing import Request
from tabnet.server.core.costs.quotas import LOCAL, RETRY_S
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.pairing.lobby import WaitingPlayer
from tabnet.server.core.players.accounts import Proof
from tabnet.server.core.players.nick_rules import HOUSE

LONGEST_MOVE_S = 600
LONGEST_TOTAL_S = 3600
LONGEST_INCREMENT_S = 30
"""The longest clock of a game with a house bot."""

C = TypeVar("C", bound=Command)


def nicks_of(name: str, games: int) -> tuple[str, ...]:
    """Return the nicks under which a bot plays that many games."""
    return tuple(f"{HOUSE}{name}.{number}" for number in range(1, games + 1))


def require_short(clock: Clock) -> None:
    """Refuse a clock that lets a game hold a house bot for too long."""
    is_short = (
        (clock.move or 0) <= LONGEST_MOVE_S
        and (clock.total or 0) <= LONGEST_TOTAL_S
        and (clock.increment or 0) <= LONGEST_INCREMENT_S
    )
    if not is_short:
        raise Refused(
            "bad_value",
            "this clock is too long for a game with a house bot",
            field="clock",
            hint=f'at most {{"move":{LONGEST_MOVE_S}}} or '
            f'{{"total":{LONGEST_TOTAL_S},"increment":{LONGEST_INCREMENT_S}}}',
        )


def _call_nobody(_: str) -> None:
    """Do nothing."""


@define(slots=False)
class HouseBots:
    """The bots that a client can ask for; by default none."""

    bots: dict[str, tuple[str, ...]] = field(factory=dict)
    """The nicks of each bot, by the name under which it is offered."""
    call: Callable[[str], None] = _call_nobody
    """Is called with the nick that should ask for a game soon."""
    origin: str = LOCAL.key
    """The origin that the processes connect from."""
    _proofs: dict[str, Proof] = field(factory=dict)
    """By nick, the proof of its process."""
    _asking: dict[str, Request[Join]] = field(factory=dict)
    _holders: dict[str, Sequence[str]] = field(factory=dict)
    """By game, the names that it is counted under; not for games begun before a restart."""

    @property
    def names(self) -> tuple[str, ...]:
        """The values that `opponent` in a join may have."""
        return tuple(self.bots)

    @cached_property
    def nicks(self) -> frozenset[str]:
        """All nicks of all bots."""
        return frozenset(nick for nicks in self.bots.values() for nick in nicks)

    # Games

    def engage(
        self, name: str, game: str, terms: Terms, games: GameIndex, holders: Sequence[str]
    ) -> list[WaitingPlayer]:
        """Return players of a bot for a new game, those first who already ask for one.

        The game counts for `holders` until it ends.
        """
        if name not in self.bots:
            hint = f"one of: {' '.join(self.bots)}" if self.bots else "this server offers none"
            text = f"unknown opponent {shown(name)}"
            raise Refused("unknown_opponent", text, field="opponent", hint=hint)
        require_short(terms.clock)
        number = terms.seats - 1
        free = self._free(name, games)
        is_busy = len(free) < number
        if is_busy or not self._has_share(name, number, games, holders):
            others = [
                other
                for other in self.bots
                if len(self._free(other, games)) >= number
                and self._has_share(other, number, games, holders)
            ]
            raise self._busy(name, others) if is_busy else self._too_many(name, others)
        self._holders[game] = holders
        return [WaitingPlayer(nick, ranked=False, auto=True) for nick in free[:number]]

    def _busy(self, name: str, others: Sequence[str]) -> Refused:
        way_out = f"Try {others[0]}, or try again" if others else "Try again"
        return Refused(
            "busy",
            f"{name} is busy. {way_out} in a few minutes.",
            field="opponent",
            hint=f"one of: {' '.join(others)}" if others else "try again later",
        )

    def _too_many(self, name: str, others: Sequence[str]) -> Refused:
        places = len(self.bots[name])
        share = max(1, places // 2)
        return Refused(
            "too_many_house_games",
            f"{name} gives at most {share} of its {places} places to one connection or address",
            field="opponent",
            hint=f"one of: {' '.join(others)}" if others else "end one of these games first",
            retry_after=RETRY_S,
        )

    def _free(self, name: str, games: GameIndex) -> list[str]:
        free = [nick for nick in self.bots[name] if not games.games_of(nick)]
        return sorted(free, key=lambda nick: not self.is_asking(nick))

    def _has_share(self, name: str, number: int, games: GameIndex, holders: Sequence[str]) -> bool:
        """Return True if each holder may have so many more of a bot's nicks.

        A holder may have half of them, or one game. Games begun before a restart count for all.
        """
        played = [games.games_of(nick)[0] for nick in self.bots[name] if games.games_of(nick)]
        unknown = sum(game not in self._holders for game in played)
        for holder in holders:
            own = sum(holder in self._holders.get(game, ()) for game in played)
            if own and own + unknown + number > len(self.bots[name]) // 2:
                return False
        return True

    # The processes

    def let_in(self, nick: str, password: str) -> Proof:
        """Let the process with this random password play under a nick; return its proof."""
        self._proofs[nick] = proof = _fast_proof(password)
        return proof

    def authenticated(self, ask: Request[C]) -> Request[C]:
        """Return a command with its proof if a process sends it under the nick of a house bot.

        Refuse everybody else who uses such a nick. The passwords of processes are long and random,
        so a fast digest is enough, and there is nothing to guess.
        """
        nick = getattr(ask.command, "nick", None)
        if nick is None or nick not in self.nicks:
            return ask
        password = getattr(ask.command, "password", None)
        if password is None and ask.session.nick == nick:
            return ask
        known, proof = self._proofs.get(nick), _fast_proof(password or "")
        is_process = known is not None and hmac.compare_digest(known.digest, proof.digest)
        if not is_process or ask.session.origin.key != self.origin:
            raise Refused("reserved_nick", f"{nick} is a house bot of this server", field="nick")
        return evolve(ask, proof=proof)

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

    def recall(self, game: str, players: Iterable[str]) -> None:
        """Count an ended game no longer, and call the bots among its players for another."""
        self._holders.pop(game, None)
        for nick in players:
            if nick in self.nicks:
                self.call(nick)


def _fast_proof(password: str) -> Proof:
    return Proof(b"", hashlib.sha256(password.encode()).digest())
