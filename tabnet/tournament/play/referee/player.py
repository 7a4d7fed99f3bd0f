"""A player of the referee: a process of a bot, or a bot that connects from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import trio
from attrs import define, field

from tabnet.tournament.play.bots.bot_process import BotProcess
from tabnet.tournament.play.referee.cpu_meter import CpuMeter
from tabnet.tournament.play.referee.transcript import Transcript
from tabnet.tournament.records.results_of_matches import Fault

if TYPE_CHECKING:
    from tabnet.tournament.play.referee.match_server import RefereedGame


@define(eq=False)
class TournamentPlayer:
    """A nick on the match server, and its state."""

    name: str
    nick: str
    password: str
    process: BotProcess | None = None
    """None for a bot that connects from elsewhere."""
    grace_s: float = 2
    """The time to reconnect after it has hung up."""
    transcript: Transcript = field(factory=Transcript)
    cpu_meter: CpuMeter = field(factory=CpuMeter)
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

    # News from the match server

    def note_join(self) -> None:
        self.asks = True
        self._news.set()
        self.on_change()

    def note_fault(self, fault: Fault) -> None:
        """Note a fault: the player has no further game."""
        self.fault = self.fault or fault
        self._news.set()
        self.on_change()

    def begin_game(self, playing: RefereedGame) -> None:
        self.asks, self.playing = False, playing
        self._news = trio.Event()
        self.transcript.clear()
        if self.process is not None:
            self.process.begin_game()
            if self.process.pid:
                self.cpu_meter.begin_game(self.process.pid)

    def note_connection(self) -> None:
        self.connections += 1
        self._silence = trio.Event()

    def note_disconnection(self) -> None:
        self.connections -= 1
        if not self.connections:
            self._silence.set()
            if self.asks:
                self.asks = False
                self._news = trio.Event()

    def forgive(self) -> None:
        self.fault = None
        if not self.asks:
            self._news = trio.Event()

    # Waiting and ending

    async def wait_until_ready(self, seconds: float) -> None:
        """Wait until it asks for a game or has a fault, at most for so long."""
        with trio.move_on_after(seconds):
            await self._news.wait()

    async def wait_until_silent(self, seconds: float) -> None:
        """Wait until it has no connection: then everything that it sent has been read."""
        if self.connections:
            with trio.move_on_after(seconds):
                await self._silence.wait()

    def read_output(self) -> None:
        """Read what its process has printed so far."""
        if self.process is not None:
            self.process.read_output()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
