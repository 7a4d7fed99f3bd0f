"""The interface of a referee, wherever it runs: it receives plain values and returns plain values.

A plain value means the same on every machine: it holds no path, port, processor or open file. The
process that runs a referee chooses these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from attrs import Factory, frozen

from tabnet.tournament.plan.plan import Plan
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.records.entrants_and_results import Result, ScheduledGame
from tabnet.tournament.records.journal_lines import LostWorker


@frozen
class PlayerTimeouts:
    """Limits for a player outside of its games, in seconds."""

    start_s: float = 20
    """From the start of its process to its first request for a game."""
    next_s: float = 5
    """From the end of a game to the next request."""
    remote_s: float = 600
    """Until a remote bot connects and asks for a game."""


USUAL = PlayerTimeouts()


@frozen
class RefereeSettings:
    """The tournament of a referee."""

    plan: Plan
    """The plan without the secrets of the throws."""
    bots: tuple[BotProgram, ...]
    processes: ProcessSettings
    timeouts: PlayerTimeouts = USUAL


@frozen
class PlayedGame:
    """A game that is over."""

    result: Result
    began: float
    """In seconds since 1970."""
    record: bytes | None = None
    """The game record; None if the game never began."""
    log: str | None = None
    """The transcripts of the players, if the game did not end as it should."""
    host: str = ""
    """The name of the host, if the game was played on a cluster."""
    outputs: Mapping[str, str] = Factory(dict)
    """The output of the bots that have printed anything, by their names."""


@frozen
class FailedStart:
    """The failure of an entrant that was started before the first game."""

    text: str
    """The reason, for people."""
    has_ended: bool
    """True if its process has ended; otherwise it did not ask for a game in time."""


class ClusterObserver(Protocol):
    """The functions that a cluster calls."""

    def announce(self, text: str) -> None:
        """Show a sentence to the user."""

    def record_host(self, name: str, sandbox: Mapping[str, Any]) -> None:
        """Record a machine that plays games, and the sandbox of bots there."""

    def record_lost_worker(self, lost: LostWorker) -> None:
        """Record that a worker is lost; its games fail afterwards."""

    def compare_repeated(self, played: PlayedGame) -> None:
        """Compare a game, which has a result already, with that result."""

    def note_room(self) -> None:
        """Note that the cluster may have room for more games."""


class RefereeInterface(Protocol):
    """A referee, in this process or elsewhere; every method may raise `RefereeFailed`."""

    cpu_s: float
    """The processor time of the referee's own process, when it is closed."""

    @property
    def moves(self) -> Mapping[str, int]:
        """The number of actions in each running game."""

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Run until closed; `on_ready` is called when the referee can play games."""

    async def try_out(self, name: str) -> FailedStart | None:
        """Start a bot once; return its failure, or None when it has asked for a game."""

    async def play(self, game: ScheduledGame) -> PlayedGame:
        """Play a game to its end."""

    async def close(self) -> None:
        """End all players, and return when nothing is left of them."""


class Slot(Protocol):
    """A place where games are played; a referee that fails is replaced. See `RefereeSlot`."""

    async def try_out(self, name: str) -> FailedStart | None:
        """Start a bot once; return its failure. Raises `RefereeFailed`."""

    async def play(self, game: ScheduledGame) -> PlayedGame:
        """Play a game to its end; raises `RefereeFailed`."""

    def count_moves(self, game: str) -> int:
        """Return the number of actions in a game so far."""

    async def close(self) -> None:
        """End everything that was started, and return when nothing is left."""


class Cluster(Slot, Protocol):
    """Many machines, which play as many games as there is room for."""

    @property
    def room(self) -> int:
        """The number of games that should run or wait at the same time."""

    async def run(self) -> None:
        """Run until closed; raises `StartError` if the cluster cannot be reached."""

    async def find_missing_programs(self) -> frozenset[str]:
        """Return the programs of command lines that some host does not have."""
