"""A player of the referee: a process of a bot, or a bot that connects from elsewhere."""

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
    """A nick on the match server, and its state."""

    name: str
    """The name of the entrant."""
    nick: str
    password: str
    process: BotProcess | None = None
    """None for a bot that connects from elsewhere."""
    grace_s: float = 2
    """The time to reconnect after it has hung up."""
    transcript: Transcript = field(factory=Transcript)
    connections: int = 0
    asks: bool = False
    """True if it waits for a game."""
    fault: Fault | None = None
    """The first fault: the player has no further game."""
    playing: RefereedGame | None = None
    pairs: set[tuple[str, int]] = field(factory=set)
    """The pairs it has played a game of: a process never plays two games of a pair."""
    on_change: Callable[[], None] = lambda: None
    """Called when it connects, hangs up, asks for a game or fails."""
    _news: trio.Event = field(factory=trio.Event)
    _silence: trio.Event = field(factory=trio.Event)

    # What the match_server tells

    def asked(self) -> None:
        """Note that it asks for a game."""
        self.asks = True
        self._news.set()
        self.on_change()

    def failed(self, fault: Fault) -> None:
        """Note a fault: the player has no further game."""
        self.fault = self.fault or fault
        self._news.set()
        self.on_change()

    def seated(self, playing: RefereedGame) -> None:
        """Note that a game begins."""
        self.asks, self.playing = False, playing
        self._news = trio.Event()
        self.transcript.clear()

    def connected(self) -> None:
        """Note a new connection."""
        self.connections += 1
        self._silence = trio.Event()

    def disconnected(self) -> None:
        """Note the end of a connection."""
        self.connections -= 1
        if not self.connections:
            self._silence.set()
            if self.asks:
                self.asks = False
                self._news = trio.Event()

    def forgiven(self) -> None:
        """Forget the faults of a bot that connects from elsewhere."""
        self.fault = None
        if not self.asks:
            self._news = trio.Event()

    # What others ask

    async def wait_until_ready(self, seconds: float) -> None:
        """Wait until it asks for a game or has a fault, at most for so long."""
        with trio.move_on_after(seconds):
            await self._news.wait()

    async def wait_until_silent(self, seconds: float) -> None:
        """Wait until it has no connection, at most for so long: then everything it sent has been
        read."""
        if self.connections:
            with trio.move_on_after(seconds):
                await self._silence.wait()

    def kill(self) -> None:
        """Kill its process, if it has one."""
        if self.process is not None:
            self.process.kill()
