"""Plays a tournament on with its live table, and measures how long its event loop stands still."""

from __future__ import annotations

import gc
import io
import os
import signal
import time
from pathlib import Path
from unittest.mock import patch

import trio
from attrs import define, field
from rich.console import Console

from tabnet.cli import main
from tabnet.cli import tournament as command
from tabnet.tournament.report import progress_display

BEAT_S = 0.001


@define
class Stalls:
    """The times between two beats of the event loop, in milliseconds."""

    times: list[float] = field(factory=list)
    cpu_times: list[float] = field(factory=list)
    """The processor time of all threads, which other programs hardly change."""
    pictures: int = 0
    games: int = 0
    collections: list[float] = field(factory=list)
    """The duration of each full garbage collection."""

    def show(self) -> None:
        print(f"played on: {self.games} games, {self.pictures} pictures of the table")
        for name, times in (("time", self.times), ("CPU time", self.cpu_times)):
            longest = ", ".join(f"{each:.0f}" for each in sorted(times, reverse=True)[:8])
            print(f"longest stalls in {name}: {longest} ms")
        collections = ", ".join(
            f"{each:.0f}" for each in sorted(self.collections, reverse=True)[:8]
        )
        print(f"full garbage collections: {len(self.collections)}, the longest {collections} ms")

    async def beat(self) -> None:
        """Note the time between two beats, also of the last one, which is cancelled."""
        while True:
            before, cpu_before = time.perf_counter(), time.process_time()
            try:
                await trio.sleep(BEAT_S)
            finally:
                self.times.append(1000 * (time.perf_counter() - before))
                self.cpu_times.append(1000 * (time.process_time() - cpu_before))

    def watch(self, phase: str, info: dict[str, int]) -> None:
        """Note the duration of full garbage collections."""
        if info["generation"] == 2:
            now = 1000 * time.perf_counter()
            self.collections.append(now if phase == "start" else now - self.collections.pop())


def play_on(folder: Path, seconds: float) -> Stalls:
    """Resume a tournament, and interrupt it so many seconds after the end of its first game."""
    stalls, play = Stalls(), command._play_until_signal
    console = Console(file=io.StringIO(), width=100, height=40, force_terminal=True)

    async def play_watched(tournament, run_settings, display) -> bool:
        results = tournament.queue.results
        before = len(results)

        async def watch() -> None:
            # First the bots are started once, and the schedule is read.
            while len(results) == before:  # noqa: ASYNC110 - there is no event
                await trio.sleep(BEAT_S)
            display._next_update = 0.0
            gc.callbacks.append(stalls.watch)
            nursery.start_soon(stalls.beat)
            await trio.sleep(seconds)
            os.kill(os.getpid(), signal.SIGINT)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            is_complete = await play(tournament, run_settings, display)
            nursery.cancel_scope.cancel()
        gc.callbacks.remove(stalls.watch)
        stalls.games = len(results) - before
        return is_complete

    with (
        patch.object(command, "_play_until_signal", play_watched),
        patch.object(progress_display, "Console", lambda **_: console),
    ):
        main(["tournament", "--resume", str(folder)])
    stalls.pictures = console.file.getvalue().count("95 % from")
    return stalls
