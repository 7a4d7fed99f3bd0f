"""Runs the missing games of a tournament concurrently, and keeps their results.

The order in which games end makes no difference. The same bots, seed and settings give the same
results at any concurrency, whenever the tournament was stopped and resumed.
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import trio

from tabnet.errors import StartError
from tabnet.tournament.plan.plan import ELIMINATION, derive_secret
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.journal_file import make_write_error
from tabnet.tournament.play.output_logs import append_output
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.referee_interface import FailedStart, PlayedGame, RefereeSettings
from tabnet.tournament.play.referee_slots import RefereeSlots, RunSettings
from tabnet.tournament.play.sandbox.host import choose_sandbox
from tabnet.tournament.play.startup_check import find_failed_starts
from tabnet.tournament.play.tournament_folder import OpenTournament
from tabnet.tournament.records.entrants_and_results import (
    MAX_FAILURES,
    Result,
    ScheduledGame,
    is_different,
)
from tabnet.tournament.records.journal_lines import (
    GAMES,
    LOGS,
    GameTiming,
    LostWorker,
    encode_check_in,
    encode_conflict,
    encode_failure,
    encode_host,
    encode_lost_worker,
    encode_result,
    encode_void,
)
from tabnet.tournament.records.throw_secrets import Throws


class Runner:
    """Plays the games of a tournament."""

    def __init__(self, tournament: OpenTournament, run_settings: RunSettings) -> None:
        self.queue = tournament.queue
        self.played = 0
        """The number of games that have ended in this run."""
        self.referee_settings = RefereeSettings(
            self.queue.plan.hide_throws(),
            tournament.bots,
            run_settings.processes,
            run_settings.timeouts,
        )
        self.slots = RefereeSlots(self.referee_settings, run_settings, self)
        self._bots = tournament.bots
        self._run_settings = run_settings
        self._journal = tournament.journal
        self._change = trio.Event()
        self._hosts: dict[str, Mapping[str, Any]] = {}
        """The sandbox of bots on each machine of this run, by its name."""

    async def run(self) -> None:
        """Play until no game is missing. Games that run at a cancellation are lost."""
        if self.queue.is_over:
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._journal.run)
            await self.slots.start(nursery)
            if self.slots.plays_here and not all(bot.is_remote for bot in self._bots):
                self._record_this_host()
            await self._start_bots()
            await self._play_all()
            await self.slots.close()
            nursery.cancel_scope.cancel()

    def _record_this_host(self) -> None:
        sandbox = choose_sandbox(self._run_settings.processes.sandbox)
        has_commands = any(bot.words for bot in self._bots)
        self.record_host(socket.gethostname(), sandbox.describe(has_commands=has_commands))

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
        # Remote bots may take long to connect, and keep no other bot waiting.
        remote = sum(bot.is_remote for bot in bots)
        count = remote + 2 * self._run_settings.concurrency
        return await find_failed_starts(self.slots.choose_for_bots(bots), count)

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
        while len(self.queue.running) < self.slots.room:
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
        self._append_output(game, played.outputs)
        self._record_result(played.result, played.began, played.host)
        self.played += 1
        self._change.set()

    async def _play_once(self, game: ScheduledGame) -> PlayedGame | None:
        """Let a game be played once; return None if its referee has failed and may try again.

        This is the only place that handles a failed referee, for all kinds of referees and of
        failures.
        """
        began = time.time()
        attempt = 1 + len(self.queue.failures.get(game.id, ()))
        try:
            return await self.slots.play(
                attrs.evolve(game, throws=self._draw_throws(game)), alone=attempt == MAX_FAILURES
            )
        except RefereeFailed as failure:
            return self._record_failure(game, failure, began)

    def _draw_throws(self, game: ScheduledGame) -> Throws:
        """Return the source of a game's throws; no referee knows that of other games."""
        plan = self.queue.plan
        nonce = secrets.token_hex(8) if plan.has_own_throws(game.seats) else ""
        return Throws(derive_secret(plan, game.seats, game.pair, nonce), nonce)

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

    def _record_result(self, result: Result, began: float, host: str = "") -> None:
        if self.queue.is_decided:
            return
        timing = GameTiming(began, time.time(), host)
        for each in self.queue.add_result(result):
            self._journal.add_line(encode_result(each, timing))
        if surplus := self.queue.remove_surplus():
            self._journal.add_line(encode_void(surplus))

    def _write_file(self, folder: str, name: str, data: bytes) -> None:
        path = self._run_settings.folder / folder / name
        try:
            path.write_bytes(data)
        except OSError as error:
            raise make_write_error(self._run_settings.folder, path, error) from None

    def _append_output(self, game: ScheduledGame, outputs: Mapping[str, str]) -> None:
        folder = self._run_settings.folder
        try:
            append_output(folder, game, outputs)
        except OSError as error:
            raise make_write_error(folder, Path(error.filename or folder), error) from None

    # `ClusterObserver`

    def announce(self, text: str) -> None:
        self._run_settings.say(text)

    def record_host(self, name: str, sandbox: Mapping[str, Any]) -> None:
        if self._hosts.get(name) != sandbox:
            self._hosts[name] = sandbox
            self._journal.add_line(encode_host(name, sandbox))

    def record_lost_worker(self, lost: LostWorker) -> None:
        count = f"{len(lost.games)} games" if lost.games else "no game"
        self.announce(f"Dask worker {lost.worker} on {lost.host} is lost; it had begun {count}.")
        self._journal.add_line(encode_lost_worker(lost))

    def compare_repeated(self, played: PlayedGame) -> None:
        """Report a game that was played twice with different results; the first one counts."""
        game = played.result.game
        first = self.queue.results.get(game.id)
        if first is not None and is_different(first, played.result):
            self.announce(
                f"Game {game.id} was played again, and ended differently on {played.host}."
            )
            self._journal.add_line(encode_conflict(game.id, played.host))

    def note_room(self) -> None:
        self._change.set()
