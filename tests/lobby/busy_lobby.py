"""A service with many waits of every sort, and the commands whose cost is measured there."""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from types import FrameType
from typing import Any

from attrs import define, field

from tabnet.protocol import messages as m
from tabnet.protocol.frames import Failed, Joined
from tabnet.server.core.effects import Effect, Send
from tabnet.server.core.rows import Saved, StoredTotals
from tabnet.server.core.service import Service
from tabnet.server.storage.restore_service import restore
from tests.commands import join

PUBLIC_WAIT_MS = 120_000
JSON = dict[str, Any]

SAME: JSON = {"kind": "draughts"}
"""The terms on which most players wait."""
FOUR: JSON = {"kind": "fish", "seats": 4, "board": [[1] * 9] * 9}
"""Terms for four players, with a long board to compare."""


def waits_of_every_type() -> Iterator[JSON]:
    """Yield joins of players who cannot be paired with each other."""
    for number in count(1000):
        yield {"group": number, "size": 9}
        yield {**SAME, "seat": 0}
        yield {**SAME, "private": True}
        yield {**FOUR, "seat": 0}


@define
class Cost:
    """The cost of one command: the calls that it made, and its seconds."""

    calls: int
    seconds: float


@define
class BusyLobby:
    """A service, and the player of each session."""

    service: Service = field(factory=lambda: Service(random.Random(1).randbytes))
    now: int = 0
    costs: dict[str, list[Cost]] = field(factory=dict)
    _sessions: Iterator[int] = field(factory=lambda: count(1))

    def fill(self, waits: int) -> None:
        """Let that many tables wait, each for another player."""
        for _, fields in zip(range(waits), waits_of_every_type(), strict=False):
            self.join(self.arrive(), **fields)

    def arrive(self) -> int:
        """Connect a player."""
        session = next(self._sessions)
        self.service.connect(session)
        return session

    def join(self, session: int, name: str = "", /, **fields: Any) -> Joined:
        """Join a game; measure the cost under that name."""
        reply = self._reply(session, self._run(session, join(**fields), name))
        assert isinstance(reply, Joined), reply
        return reply

    def leave(self, joined: Joined, name: str = "") -> None:
        """Leave a game by its token; measure the cost under that name."""
        session = self.arrive()
        self._run(session, m.Leave(token=joined.token), name)
        self.service.disconnect(session)

    def ask(self, command: m.Command, name: str) -> None:
        """Ask a question; measure the cost under that name."""
        session = self.arrive()
        self._run(session, command, name)
        self.service.disconnect(session)

    def apply_timeouts(self, now: int, name: str) -> None:
        """Let the time pass; measure the cost under that name."""
        self.now = now
        self._measure(lambda: self.service.apply_timeouts(now), name)

    def _run(self, session: int, command: m.Command, name: str) -> list[Effect]:
        effects = self._measure(lambda: self.service.handle(session, command, self.now), name)
        reply = self._reply(session, effects)
        assert not isinstance(reply, Failed), reply
        return effects

    def _reply(self, session: int, effects: list[Effect]) -> Any:
        return next(
            effect.frame
            for effect in effects
            if isinstance(effect, Send) and effect.to == (session,)
        )

    def _measure(self, act: Callable[[], list[Effect]], name: str) -> list[Effect]:
        if not name:
            return act()
        calls = 0

        def on_event(_frame: FrameType, event: str, _arg: Any) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        counts = len(self.costs.setdefault(name, [])) == 0  # counting takes time
        gc.disable()
        started = time.perf_counter()
        if counts:
            sys.setprofile(on_event)
        try:
            effects = act()
        finally:
            sys.setprofile(None)
            seconds = time.perf_counter() - started
            gc.enable()
        first = self.costs[name][:1]
        self.costs[name].append(Cost(first[0].calls if first else calls, seconds))
        return effects


def measure(waits: int, rounds: int) -> dict[str, list[Cost]]:
    """Return the costs of every way to join, leave and list games beside that many waits."""
    lobby = BusyLobby()
    for number in range(rounds):  # these end one by one, before the others
        lobby.now = number
        lobby.join(lobby.arrive(), group=number + 1, size=7)
    lobby.now = 2 * rounds
    lobby.fill(waits)
    gc.freeze()  # as a server does, or collections would take most of the time
    for _ in range(rounds):
        _measure_joins(lobby)
    for number in range(rounds):
        lobby.apply_timeouts(PUBLIC_WAIT_MS + number, "a wait ends")
    gc.unfreeze()
    return lobby.costs


def _measure_joins(lobby: BusyLobby) -> None:
    player, rival = lobby.arrive(), lobby.arrive()
    game = {"group": 1, "size": 15}
    lobby.join(player, "public, a new wait", **game)
    first = lobby.join(player, "public, joined again", **game)
    lobby.join(rival, "public, paired", **game)
    lobby.leave(first)
    wish = lobby.join(player, "seat wish that many others have", **SAME, seat=0)
    lobby.leave(wish, "leave a wait")
    lobby.join(lobby.arrive(), **SAME, seat=0)
    wish = lobby.join(player, "seat wish, paired with the oldest", **SAME, seat=1)
    lobby.leave(wish)
    lobby.join(player, "private", **SAME, private=True)
    private = lobby.join(player, "private, joined again", **SAME, private=True)
    lobby.join(rival, "by invite", invite=private.invite)
    lobby.leave(private)
    lobby.join(player, "several seats, a new wait", **FOUR, seat=0)
    table = lobby.join(player, "several seats, joined again", **FOUR, seat=0)
    lobby.leave(table)
    other = lobby.join(lobby.arrive(), **FOUR, seat=0)
    table = lobby.join(player, "several seats, the oldest table", **FOUR, seat=1)
    lobby.leave(table, "leave a table of several")
    lobby.leave(other)
    lobby.ask(m.Games(), "list all games")
    lobby.ask(m.Games(kind="plakoto"), "list the games of a kind that nobody waits for")


def measure_ranking(nicks: int, rounds: int) -> list[Cost]:
    """Return the costs of `ranking` with that many nicks, between matches that count.

    The first one is the cost right after a restart.
    """
    lobby, luck = BusyLobby(), random.Random(2)
    key = ("draughts", None, None)
    names = [f"player {number}" for number in range(nicks)]
    totals = (StoredTotals(*key, nick, luck.randrange(9), 9, 0) for nick in names)
    restore(lobby.service, Saved(standings=tuple(totals)), 0)
    lobby.ask(m.Ranking(kind="draughts"), "ranking")
    for _ in range(rounds):
        pair = luck.sample(names, 2)
        lobby.service.rankings.record(key, pair, pair[:1], (1, 0))
        lobby.ask(m.Ranking(kind="draughts"), "ranking")
    return lobby.costs["ranking"]
