"""Plays a tournament on with its live table, and measures how long its event loop stands still."""

from __future__ import annotations

import argparse
import gc
import io
import time
from pathlib import Path

import trio
from attrs import define, field
from rich.console import Console

from tabnet.cli import tournament as command
from tabnet.server.net.server_clock import ServerClock
from tabnet.tournament.play.tournament_folder import resume_tournament
from tabnet.tournament.report.progress_display import Display

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
        await trio.sleep(BEAT_S)
        before, cpu_before = time.perf_counter(), time.process_time()
        while True:
            await trio.sleep(BEAT_S)
            now, cpu = time.perf_counter(), time.process_time()
            self.times.append(1000 * (now - before))
            self.cpu_times.append(1000 * (cpu - cpu_before))
            before, cpu_before = now, cpu


def play_on(folder: Path, seconds: float) -> Stalls:
    """Resume the tournament for so many seconds after its first picture."""
    stalls = Stalls()
    console = Console(file=io.StringIO(), width=100, height=40, force_terminal=True)
    parser = argparse.ArgumentParser()
    command.configure(parser)
    args = parser.parse_args(["--resume", str(folder)])
    with resume_tournament(folder) as tournament, Display(console) as display:
        run_settings = command._read_run_settings(args, folder, display)
        before = len(tournament.queue.results)

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(command._play_until_signal, tournament, run_settings, display)
                # First the bots are started once, and the schedule is read.
                while len(tournament.queue.results) == before:  # noqa: ASYNC110 - there is no event
                    await trio.sleep(BEAT_S)
                nursery.start_soon(stalls.beat)
                gc.callbacks.append(watch)
                await trio.sleep(seconds)
                gc.callbacks.remove(watch)
                nursery.cancel_scope.cancel()

        began = [0.0]

        def watch(phase: str, info: dict[str, int]) -> None:
            if info["generation"] == 2 and phase == "start":
                began[0] = time.perf_counter()
            elif info["generation"] == 2:
                stalls.collections.append(1000 * (time.perf_counter() - began[0]))

        trio.run(main, clock=ServerClock())
        stalls.games = len(tournament.queue.results) - before
    stalls.pictures = console.file.getvalue().count("95 % from")
    return stalls
