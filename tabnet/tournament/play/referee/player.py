"""Somebody whom the arena can seat: a process of a bot, or somebody who connects from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import trio
from attrs import define, field

from tabnet.tournament.play.bots.bot_process import BotProcess
from tabnet.tournament.play.referee.transcript import Transcript
from tabnet.tournament.records.match_results import Fault

if TYPE_CHECKING:
    from tabnet.tournament.play.referee.match_server import RefereedGame


@define(eq=False)
class TournamentPlayer:
    """Who may play under a nick, and how things stand with it."""

    name: str
    """The entrant's."""
    nick: str
    password: str
    process: BotProcess | None = None
    """None for who connects from elsewhere."""
    grace_s: float = 2
    """How long it may take to come back when it has hung up."""
    transcript: Transcript = field(factory=Transcript)
    connections: int = 0
    asks: bool = False
    """It waits for a game."""
    fault: Fault | None = None
    """The first one; it is not seated any more."""
    playing: RefereedGame | None = None
    pairs: set[tuple[str, int]] = field(factory=set)
    """The opponents and pairs it has played: a process never plays both games of a pair."""
    on_change: Callable[[], None] = lambda: None
    """Called when it connects, hangs up, asks for a game or fails."""
    _news: trio.Event = field(factory=trio.Event)
    _silence: trio.Event = field(factory=trio.Event)

    # What the match_server tells

    def asked(self) -> None:
        """It has asked for a game."""
        self.asks = True
        self._news.set()
        self.on_change()

    def failed(self, fault: Fault) -> None:
        """Something has happened for which it cannot be seated any more."""
        self.fault = self.fault or fault
        self._news.set()
        self.on_change()

    def seated(self, playing: RefereedGame) -> None:
        """A game begins for it."""
        self.asks, self.playing = False, playing
        self._news = trio.Event()
        self.transcript.clear()

    def connected(self) -> None:
        """One more connection is there."""
        self.connections += 1
        self._silence = trio.Event()

    def disconnected(self) -> None:
        """A connection has ended."""
        self.connections -= 1
        if not self.connections:
            self._silence.set()
            if self.asks:
                self.asks = False
                self._news = trio.Event()

    def forgiven(self) -> None:
        """It may try again: only a process is not to be trusted any more."""
        self.fault = None
        if not self.asks:
            self._news = trio.Event()

    # What others ask

    async def wait_until_ready(self, seconds: float) -> None:
        """Wait until it asks for a game, or cannot be seated any more, or its time is over."""
        with trio.move_on_after(seconds):
            await self._news.wait()

    async def wait_until_silent(self, seconds: float) -> None:
        """Wait until it has no connection, or its time is over: everything it said is heard."""
        if self.connections:
            with trio.move_on_after(seconds):
                await self._silence.wait()

    def kill(self) -> None:
        """End its process at once."""
        if self.process is not None:
            self.process.kill()
