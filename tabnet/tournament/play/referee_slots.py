"""The referees of a run: in this process, in processes beside it, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import cycle
from pathlib import Path

import trio
from attrs import frozen

from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.referee.referee import Referee
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_interface import (
    USUAL,
    Cluster,
    ClusterObserver,
    PlayedGame,
    PlayerTimeouts,
    RefereeSettings,
    Slot,
)
from tabnet.tournament.play.referee_process.parent import RefereeProcess
from tabnet.tournament.play.referee_slot import RefereeSlot
from tabnet.tournament.records.entrants_and_results import ScheduledGame

CLOSE_S = 5.0
"""The time for a referee process to end that has played a single game."""


@frozen
class RunSettings:
    """Settings of this run, which no result depends on."""

    folder: Path
    concurrency: int
    """The number of concurrent games on this machine."""
    processes: ProcessSettings
    remote_ports: RemotePorts
    timeouts: PlayerTimeouts = USUAL
    shares: tuple[tuple[int, ...], ...] = ()
    """The processors of each referee process; if empty, the referee runs in this process."""
    say: Callable[[str], None] = lambda _: None
    """Shows a sentence to the user."""
    create_cluster: Callable[[RefereeSettings, ClusterObserver], Cluster] | None = None
    """Returns the referee that plays on a cluster; None for a tournament on this machine alone."""


class RefereeSlots:
    """Starts the referees that a tournament needs, and gives each game to one of them.

    Games of remote bots are played in this process. On a cluster, so are games of command lines
    whose program some host does not have.
    """

    def __init__(
        self, settings: RefereeSettings, run_settings: RunSettings, observer: ClusterObserver
    ) -> None:
        self.settings = settings
        self.of_processes: list[RefereeSlot] = []
        self._run_settings = run_settings
        self._observer = observer
        self._cluster: Cluster | None = None
        self._local: list[Slot] = []
        """The slot of this process, if it has a referee."""
        self._stay_here = {bot.name for bot in settings.bots if bot.is_remote}
        self._places_here = trio.CapacityLimiter(run_settings.concurrency)
        self._games: dict[str, Slot] = {}
        self._nursery: trio.Nursery

    @property
    def room(self) -> int:
        """The number of games that may be running or waiting for a referee."""
        return self._cluster.room if self._cluster is not None else self._run_settings.concurrency

    async def start(self, nursery: trio.Nursery) -> None:
        """Start the slots in a nursery; a referee itself starts on demand."""
        self._nursery = nursery
        if self._run_settings.create_cluster is not None:
            await self._add_cluster(self._run_settings.create_cluster)
        elif len(self.settings.bots) - len(self._stay_here) > 1:
            for share in self._run_settings.shares:
                self.of_processes.append(self._start_slot(partial(self._create_process, share)))
        if self._stay_here or not self._elsewhere:
            self._local.append(self._start_slot(self._create_referee))

    @property
    def plays_here(self) -> bool:
        """True if some games are played on this machine."""
        return bool(self.of_processes or self._local)

    def choose_for_bots(self, bots: Iterable[BotProgram]) -> dict[str, Slot]:
        """Return the slot that tries each bot before the first game."""
        slots = cycle(self._elsewhere or self._local)
        return {
            bot.name: self._local[0] if bot.name in self._stay_here else next(slots) for bot in bots
        }

    async def play(self, game: ScheduledGame, *, alone: bool) -> PlayedGame:
        """Play a game; raises `RefereeFailed`.

        If it is to be `alone`, a referee process of its own plays it: a game that ends its process
        each time must not fail others. A cluster itself keeps such games apart.
        """
        slot, own = self._choose(game), None
        if alone and isinstance(slot, RefereeSlot) and slot in self.of_processes:
            share = self._run_settings.shares[self.of_processes.index(slot)]
            slot = own = self._start_slot(partial(self._create_process, share))
        self._games[game.id] = slot
        try:
            async with self._places_here if slot in self._local else nullcontext():
                return await slot.play(game)
        finally:
            del self._games[game.id]
            if own is not None:
                with trio.move_on_after(CLOSE_S, shield=True):
                    await own.close()

    def count_moves(self, game: str) -> int:
        return self._games[game].count_moves(game) if game in self._games else 0

    async def close(self) -> None:
        async with trio.open_nursery() as nursery:
            for slot in (*self._elsewhere, *self._local):
                nursery.start_soon(slot.close)

    @property
    def _elsewhere(self) -> Sequence[Slot]:
        return self.of_processes if self._cluster is None else [self._cluster]

    def _choose(self, game: ScheduledGame) -> Slot:
        """Return the slot with the fewest games among those that can play this one."""
        is_mobile = self._stay_here.isdisjoint(game.seats)
        able = (self._elsewhere if is_mobile else []) or self._local
        if len(able) == 1:  # a cluster has many games
            return able[0]
        return min(able, key=list(self._games.values()).count)

    def _start_slot(self, create: Callable[[], Referee | RefereeProcess]) -> RefereeSlot:
        slot = RefereeSlot(create)
        self._nursery.start_soon(slot.run)
        return slot

    async def _add_cluster(
        self, create: Callable[[RefereeSettings, ClusterObserver], Cluster]
    ) -> None:
        self._cluster = create(self.settings, self._observer)
        self._nursery.start_soon(self._cluster.run)
        missing = await self._cluster.find_missing_programs()
        self._stay_here |= {bot.name for bot in self.settings.bots if bot.program in missing}

    def _create_process(self, share: tuple[int, ...]) -> RefereeProcess:
        return RefereeProcess(self.settings, share)

    def _create_referee(self) -> Referee:
        return Referee(self.settings, self._run_settings.remote_ports, LocalBots.create())
