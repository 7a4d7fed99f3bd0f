"""House bots: the bots that a server offers, and which of their nicks are free. Pure.

A house bot plays one game at a time under each of its nicks, in a process that the server starts.
The process is a client like any other: it registers, sends `join`, and gets the reply when there is
a game with a seat for it. Games do not wait for it: they begin, and go on after a restart, before
the process is connected.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar

from attrs import define, evolve, field

from tabnet.errors import Refused, quote
from tabnet.protocol.fields import Clock
from tabnet.protocol.messages import Command, Join
from tabnet.server.core.costs.client_origin import LOCAL
from tabnet.server.core.costs.quotas import RETRY_S
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.pairing.lobby import WaitingPlayer
from tabnet.server.core.players.accounts import Proof
from tabnet.server.core.players.nick_rules import HOUSE
from tabnet.server.core.sender_and_game_of_command import Request

LONGEST_MOVE_S = 600
LONGEST_TOTAL_S = 3600
LONGEST_INCREMENT_S = 30

C = TypeVar("C", bound=Command)


def make_nicks(name: str, games: int) -> tuple[str, ...]:
    """Return the nicks under which a bot plays that many games."""
    return tuple(f"{HOUSE}{name}.{number}" for number in range(1, games + 1))


def require_short_clock(clock: Clock) -> None:
    """Refuse a clock that lets a game occupy a house bot for too long."""
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


@define(slots=False)
class HouseBots:
    """The bots that a client can ask for; by default none."""

    bots: dict[str, tuple[str, ...]] = field(factory=dict)
    """The nicks of each bot, by the name under which it is offered."""
    call: Callable[[str], object] = str
    """Starts the process of a nick, if it is not running; by default nothing happens."""
    origin: str = LOCAL.key
    """The origin that the processes connect from."""
    _proofs: dict[str, Proof] = field(factory=dict)
    """The proof of each process, by nick."""
    _waiting: dict[str, Request[Join]] = field(factory=dict)
    """The joins of processes that wait for a game, by nick."""
    _holders: dict[str, Sequence[str]] = field(factory=dict)
    """The names that each game is counted under; not for games begun before a restart."""

    @property
    def names(self) -> tuple[str, ...]:
        """The values that `opponent` in a join may have."""
        return tuple(self.bots)

    @cached_property
    def nicks(self) -> frozenset[str]:
        """All nicks of all bots."""
        return frozenset(nick for nicks in self.bots.values() for nick in nicks)

    # Games

    def reserve(
        self, name: str, game: str, terms: Terms, games: GameIndex, holders: Sequence[str]
    ) -> list[WaitingPlayer]:
        """Return players of a bot for a new game, which counts for `holders` until it ends."""
        if name not in self.bots:
            hint = f"one of: {' '.join(self.bots)}" if self.bots else "this server offers none"
            text = f"unknown opponent {quote(name)}"
            raise Refused("unknown_opponent", text, field="opponent", hint=hint)
        require_short_clock(terms.clock)
        number = terms.seats - 1
        free = self._list_free(name, games)[:number]
        if len(free) < number or not self._has_share(name, number, games, holders):
            raise self._make_refusal(
                name,
                len(free) < number,
                [
                    other
                    for other in self.bots
                    if len(self._list_free(other, games)) >= number
                    and self._has_share(other, number, games, holders)
                ],
            )
        self._holders[game] = holders
        return [WaitingPlayer(nick, ranked=False, auto=True) for nick in free]

    def _make_refusal(self, name: str, is_busy: bool, others: Sequence[str]) -> Refused:
        """Return the refusal of a game with a bot; `others` are the bots that could play it."""
        hint = f"one of: {' '.join(others)}" if others else None
        if is_busy:
            way_out = f"Try {others[0]}, or try again" if others else "Try again"
            text = f"{name} is busy. {way_out} in a few minutes."
            return Refused("busy", text, field="opponent", hint=hint or "try again later")
        nicks = len(self.bots[name])
        share = max(1, nicks // 2)
        return Refused(
            "too_many_house_games",
            f"{name} gives at most {share} of its {nicks} places to one connection or address",
            field="opponent",
            hint=hint or "end one of these games first",
            retry_after=RETRY_S,
        )

    def _list_free(self, name: str, games: GameIndex) -> list[str]:
        """Return the nicks of a bot that play no game, those of waiting processes first."""
        free = [nick for nick in self.bots[name] if not games.list_games_of(nick)]
        return sorted(free, key=lambda nick: not self.is_waiting(nick))

    def _has_share(self, name: str, number: int, games: GameIndex, holders: Sequence[str]) -> bool:
        """Return True if each holder may have so many more of a bot's nicks.

        A holder may have half of them, or one game. Games begun before a restart count for all.
        """
        played = [game for nick in self.bots[name] for game in games.list_games_of(nick)]
        unknown = sum(game not in self._holders for game in played)
        for holder in holders:
            own = sum(holder in self._holders.get(game, ()) for game in played)
            if own and own + unknown + number > len(self.bots[name]) // 2:
                return False
        return True

    # The processes

    def set_password(self, nick: str, password: str) -> Proof:
        """Set the random password of the process that plays under a nick; return its proof."""
        self._proofs[nick] = proof = _make_fast_proof(password)
        return proof

    def authenticate(self, request: Request[C]) -> Request[C]:
        """Return a command with its proof if a process sends it under the nick of a house bot.

        Refuse everybody else who uses such a nick. The passwords of processes are long and random,
        so a fast digest is enough, and there is nothing to guess.
        """
        nick = getattr(request.command, "nick", None)
        if nick is None or nick not in self.nicks:
            return request
        password = getattr(request.command, "password", None)
        if password is None and request.session.nick == nick:
            return request
        known, proof = self._proofs.get(nick), _make_fast_proof(password or "")
        is_process = known is not None and hmac.compare_digest(known.digest, proof.digest)
        if not is_process or request.session.origin.key != self.origin:
            raise Refused("reserved_nick", f"{nick} is a house bot of this server", field="nick")
        return evolve(request, proof=proof)

    def add_waiting(self, nick: str, join: Request[Join]) -> None:
        """Let a process wait for a game, in the place of an earlier process of that nick."""
        self._waiting[nick] = join

    def is_waiting(self, nick: str | None) -> bool:
        """Return True if a process waits for a game under that nick."""
        return nick in self._waiting

    def take_join(self, nick: str) -> Request[Join] | None:
        """Return the join of the process that waits under that nick, or call the nick."""
        join = self._waiting.pop(nick, None)
        if join is None:
            self.call(nick)
        return join

    def call_next(self, nick: str, games: GameIndex) -> None:
        """Call a free nick of the same bot, so that its process is ready for the next game."""
        for name, nicks in self.bots.items():
            if nick in nicks:
                for free in self._list_free(name, games)[:1]:
                    self.call(free)

    def forget_session(self, session: int) -> None:
        """Forget the joins of a connection that has ended."""
        self._waiting = {
            nick: join for nick, join in self._waiting.items() if join.session.id != session
        }

    def end_game(self, game: str, players: Iterable[str]) -> None:
        """Count an ended game no longer, and call the bots among its players for another."""
        self._holders.pop(game, None)
        for nick in players:
            if nick in self.nicks:
                self.call(nick)


def _make_fast_proof(password: str) -> Proof:
    return Proof(b"", hashlib.sha256(password.encode()).digest())
