"""Runs the missing games of a tournament concurrently, and keeps their results.

The order in which games end makes no difference. The same bots, seed and settings give the same
results at any concurrency, whenever the tournament was stopped and resumed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from itertools import cycle
from pathlib import Path

import trio
from attrs import frozen

from tabnet.errors import StartError
from tabnet.tournament.plan.plan import ELIMINATION
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBots
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.journal_file import make_write_error
from tabnet.tournament.play.referee.referee import Referee
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.referee_interface import (
    USUAL,
    FailedStart,
    PlayedGame,
    PlayerTimeouts,
    RefereeSettings,
)
from tabnet.tournament.play.referee_process.parent import RefereeProcess
from tabnet.tournament.play.referee_slot import RefereeSlot
from tabnet.tournament.play.startup_check import find_failed_starts
from tabnet.tournament.play.tournament_folder import OpenTournament
from tabnet.tournament.records.entrants_and_results import MAX_FAILURES, Result, ScheduledGame
from tabnet.tournament.records.journal_lines import (
    GAMES,
    LOGS,
    GameTiming,
    encode_check_in,
    encode_failure,
    encode_result,
    encode_void,
)


@frozen
class RunSettings:
    """Settings of this run, which no result depends on."""

    folder: Path
    concurrency: int
    processes: ProcessSettings
    remote_ports: RemotePorts
    timeouts: PlayerTimeouts = USUAL
    shares: tuple[tuple[int, ...], ...] = ()
    """The processors of each referee process; if empty, the referee runs in this process."""


class Runner:
    """Plays the games of a tournament."""

    def __init__(self, tournament: OpenTournament, run_settings: RunSettings) -> None:
        self.queue = tournament.queue
        self.played = 0
        """The number of games that have ended in this run."""
        self.process_slots: list[RefereeSlot] = []
        self._bots = tournament.bots
        self._remote = {each.name for each in self._bots if each.is_remote}
        self._run_settings = run_settings
        self._journal = tournament.journal
        self.referee_settings = RefereeSettings(
            self.queue.plan, self._bots, run_settings.processes, run_settings.timeouts
        )
        self._local_slots: list[RefereeSlot] = []
        """The slot of this process, if it has a referee: remote bots play there."""
        self._games: dict[str, RefereeSlot] = {}
        self._nursery: trio.Nursery
        self._change = trio.Event()

    def count_moves(self, game: str) -> int:
        return self._games[game].count_moves(game) if game in self._games else 0

    async def run(self) -> None:
        """Play until no game is missing. Games that run at a cancellation are lost."""
        if self.queue.is_over:
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._journal.run)
            is_local = len(self._bots) - len(self._remote) > 1
            self._nursery = nursery
            for share in self._run_settings.shares if is_local else ():
                self.process_slots.append(
                    RefereeSlot(partial(RefereeProcess, self.referee_settings, share))
                )
            if self._remote or not self.process_slots:
                self._local_slots.append(RefereeSlot(self._create_referee))
            for slot in (*self.process_slots, *self._local_slots):
                nursery.start_soon(slot.run)
            await self._start_bots()
            await self._play_all()
            await self._close()
            nursery.cancel_scope.cancel()

    def _create_referee(self) -> Referee:
        remote_ports = self._run_settings.remote_ports
        return Referee(self.referee_settings, remote_ports, LocalBots.create())

    async def _start_bots(self) -> None:
        """Start bots once, before the first game.

        In an elimination, entrants that do not connect are out. In other formats, raises
        `StartError` with the errors of the bot files that cannot be loaded.
        """
        if self.queue.needs_check_in:
            failed = await self._try_out(self._bots)
            absent = {name: failure.text for name, failure in failed.items()}
            self.queue.record_absent(absent)
            self._journal.add_line(encode_check_in(absent))
        elif self.queue.plan.format != ELIMINATION:
            failed = await self._try_out([each for each in self._bots if each.is_file])
            if errors := [failure.text for failure in failed.values() if failure.has_ended]:
                raise StartError("; ".join(errors))

    async def _try_out(self, bots: Sequence[BotProgram]) -> dict[str, FailedStart]:
        """Start each of these bots once, and return the failures in the order of the bots."""
        slots = cycle(self.process_slots or self._local_slots)
        of_bots = {bot.name: self._local_slots[0] if bot.is_remote else next(slots) for bot in bots}
        # Remote bots may take long to connect, and keep no other bot waiting.
        count = len(self._remote) + 2 * self._run_settings.concurrency
        return await find_failed_starts(of_bots, count)

    async def _play_all(self) -> None:
        async with trio.open_nursery() as nursery:
            while (game := self._take_next()) or (self.queue.running and not self.queue.is_decided):
                if game is not None:
                    nursery.start_soon(self._play, game)
                else:
                    self._change = trio.Event()
                    await self._change.wait()
            nursery.cancel_scope.cancel()  # what still runs does not count any more

    def _take_next(self) -> ScheduledGame | None:
        """Return the next game to begin; results that need no game are kept at once."""
        while len(self.queue.running) < self._run_settings.concurrency:
            game = self.queue.take_next()
            forfeit = self.queue.find_forfeit(game) if game is not None else None
            if forfeit is None:
                return game
            self._record_result(forfeit, time.time())
        return None

    async def _play(self, game: ScheduledGame) -> None:
        while (played := await self._play_once(game)) is None:
            pass  # the referee failed: the game is played again
        if played.record is not None:
            self._write_file(GAMES, f"{game.id}.json", played.record)
        if played.log is not None:
            self._write_file(LOGS, f"{game.id}.log", played.log.encode())
        self._record_result(played.result, played.began)
        self.played += 1
        self._change.set()

    async def _play_once(self, game: ScheduledGame) -> PlayedGame | None:
        """Let a game be played once; return None if its referee has failed and may try again.

        This is the only place that handles a failed referee, for all kinds of referees and of
        failures. The last attempt has a referee process of its own: a game that ends its process
        each time must not fail other games three times.
        """
        began = time.time()
        slot, alone = self._choose_slot(game), None
        attempt = 1 + len(self.queue.failures.get(game.id, ()))
        if attempt == MAX_FAILURES and slot in self.process_slots:
            share = self._run_settings.shares[self.process_slots.index(slot)]
            slot = alone = RefereeSlot(partial(RefereeProcess, self.referee_settings, share))
            self._nursery.start_soon(alone.run)
        self._games[game.id] = slot
        played: PlayedGame | None
        try:
            played = await slot.play(game)
        except RefereeFailed as failure:
            played = self._record_failure(game, failure, began)
        finally:
            del self._games[game.id]
        if alone is not None:
            await alone.close()
        return played

    def _record_failure(
        self, game: ScheduledGame, failure: RefereeFailed, began: float
    ) -> PlayedGame | None:
        """Record that the referee of a game has failed; return the game if that was too often."""
        result = self.queue.record_failure(game, failure.text)
        self._journal.add_line(encode_failure(game.id, failure.text))
        number = len(self.queue.failures[game.id])
        log = f"{failure.text}\n\n{failure.log}\n"
        self._write_file(LOGS, f"{game.id}.failure-{number}.log", log.encode())
        return None if result is None else PlayedGame(result, began)

    def _choose_slot(self, game: ScheduledGame) -> RefereeSlot:
        """Return the slot with the fewest games among those that can play this one."""
        is_local = self._remote.isdisjoint(game.seats)
        able = (self.process_slots if is_local else []) or self._local_slots
        return min(able, key=list(self._games.values()).count)

    async def _close(self) -> None:
        async with trio.open_nursery() as nursery:
            for slot in (*self.process_slots, *self._local_slots):
                nursery.start_soon(slot.close)

    def _record_result(self, result: Result, began: float) -> None:
        if self.queue.is_decided:
            return
        for each in self.queue.add_result(result):
            self._journal.add_line(encode_result(each, GameTiming(began, time.time())))
        if surplus := self.queue.remove_surplus():
            self._journal.add_line(encode_void(surplus))

    def _write_file(self, folder: str, name: str, data: bytes) -> None:
        path = self._run_settings.folder / folder / name
        try:
            path.write_bytes(data)
        except OSError as error:
            raise make_write_error(self._run_settings.folder, path, error) from None
