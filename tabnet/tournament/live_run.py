"""Plays an open tournament to its end, and shows its progress meanwhile."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import trio

from tabnet.tournament.plan.elimination import describe_standings
from tabnet.tournament.plan.plan import ELIMINATION
from tabnet.tournament.plan.revealed_secrets import describe_throws
from tabnet.tournament.play.referee_slots import RunSettings
from tabnet.tournament.play.runner import Runner
from tabnet.tournament.play.sandbox.host import choose_sandbox
from tabnet.tournament.play.sandbox.policy import NONE
from tabnet.tournament.play.tournament_folder import OpenTournament
from tabnet.tournament.report.progress_display import Display, Progress, RunningGame

LOOK_S = 0.25
"""The interval at which the progress is shown."""
SWITCH_S = 0.0005
"""The time for which the thread that computes the table may keep the runner waiting."""
MORE_RESULTS = 1.1
"""The growth of the results after which the garbage collector leaves out the new ones."""


def announce_terms(tournament: OpenTournament, run_settings: RunSettings) -> None:
    """Say what users should know before the first game: the source of throws, a missing sandbox."""
    for sentence in describe_throws(tournament.queue.plan):
        run_settings.say(sentence)
    if choose_sandbox(run_settings.processes.sandbox).used == NONE:
        run_settings.say("Bots run with your rights: there is no sandbox on this machine.")


async def play_to_end(
    tournament: OpenTournament, run_settings: RunSettings, display: Display | None
) -> None:
    """Play all missing games, with a live table if there is a display."""
    runner = Runner(tournament, run_settings)
    async with trio.open_nursery() as nursery:
        if display is not None:
            nursery.start_soon(_update_display, runner, display)
        await runner.run()
        nursery.cancel_scope.cancel()


async def _update_display(runner: Runner, display: Display) -> None:
    """Show the progress again and again; the runner stands still for milliseconds only."""
    began, collected = time.monotonic(), 0
    with _short_pauses():
        while True:
            if len(runner.queue.results) > MORE_RESULTS * collected:
                gc.collect(1)
                gc.freeze()  # results stay until the end: to search all of them takes a second
                collected = len(runner.queue.results)
            await trio.sleep(LOOK_S)
            if display.is_due:
                await display.update(_read_progress(runner, time.monotonic() - began))


@contextmanager
def _short_pauses() -> Iterator[None]:
    """Let threads take turns more often; at the end, let the garbage collector see all objects."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
        gc.unfreeze()


def _read_progress(runner: Runner, elapsed: float) -> Progress:
    queue = runner.queue
    results = tuple(queue.results.values())
    return Progress(
        names=queue.plan.names,
        results=results,
        standings=describe_standings(queue.plan, results)
        if queue.plan.format == ELIMINATION
        else None,
        total=queue.total,
        played=runner.played,
        elapsed=elapsed,
        running=tuple(
            RunningGame(game.seats, runner.slots.count_moves(game.id))
            for game in queue.running.values()
        ),
    )
