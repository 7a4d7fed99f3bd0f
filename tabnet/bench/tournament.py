"""`tabnet bench tournament`: two random bots play each other, and the CPU time is attributed.

The costs of a short tournament are subtracted, so that starting processes does not count.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from operator import sub
from pathlib import Path
from resource import RUSAGE_CHILDREN
from typing import Any

import trio
from attrs import astuple, frozen

from tabnet.bench.load_client import cpu_seconds
from tabnet.errors import StartError
from tabnet.server.net.certificate import Identity
from tabnet.server.net.server_clock import ServerClock
from tabnet.tournament.play.bots.bot_process import ProcessLimits
from tabnet.tournament.play.referee.remote_ports import RemotePorts
from tabnet.tournament.play.referee_process.parent import divide_processors
from tabnet.tournament.play.runner import Runner, RunSettings
from tabnet.tournament.play.tournament_folder import create_tournament

BOTS = ("random", "random")
CORES = 2
WARM_UP = 15
"""The pairs of the short tournament, which is enough to start all processes."""


@frozen
class Cost:
    """The cost of a tournament, in games, decisions and seconds."""

    games: int
    decisions: int
    elapsed: float
    referee: float
    bots: float

    def __sub__(self, other: Cost) -> Cost:
        return Cost(*map(sub, astuple(self), astuple(other)))


def bench(pairs: int, concurrency: int, out: Callable[[str], Any]) -> None:
    start = measure_tournament(WARM_UP, concurrency)
    cost = measure_tournament(WARM_UP + pairs, concurrency) - start
    if min(cost.elapsed, cost.referee, cost.bots) <= 0:
        raise StartError(f"{pairs} pairs take no longer than starting does", hint="more --pairs")
    each = 1e6 / cost.decisions
    out(f"{cost.games} games of Tab by two random bots, {concurrency} at once:")
    out(f"{cost.games / cost.elapsed:.1f} games/s, {cost.decisions / cost.elapsed:.0f} decisions/s")
    out(
        f"CPU per decision: {each * (cost.referee + cost.bots):.0f} us "
        f"({each * cost.referee:.0f} referee, {each * cost.bots:.0f} bots)"
    )
    whole = CORES * cost.elapsed
    shares = {"bots": cost.bots / whole, "referee": cost.referee / whole}
    shares["waiting"] = 1 - sum(shares.values())
    percentages = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
    out(f"of {CORES} cores: {percentages}")


def measure_tournament(pairs: int, concurrency: int) -> Cost:
    """Play a tournament of so many pairs, and return its cost."""
    settings = {
        "seed": "bench",
        "kind": "tab",
        "options": {"size": 9},
        "clock": {"move": 60.0},
        "format": "round-robin",
        "pairs": pairs,
    }
    before = time.monotonic(), cpu_seconds(), cpu_seconds(RUSAGE_CHILDREN)
    with (
        tempfile.TemporaryDirectory() as folder,
        create_tournament(Path(folder), settings, BOTS) as tournament,
    ):
        remote_ports = RemotePorts(_refuse_remote_bots, lambda _: None)
        shares, limits = divide_processors(concurrency), ProcessLimits()
        run_settings = RunSettings(Path(folder), concurrency, limits, remote_ports, shares=shares)
        runner = Runner(tournament, run_settings)
        trio.run(runner.run, clock=ServerClock())
    process_slots = sum(branch.cpu_s for branch in runner.process_slots)
    results = tournament.queue.results.values()
    return Cost(
        len(results),
        sum(seat.decisions for result in results for seat in result.thinking),
        time.monotonic() - before[0],
        cpu_seconds() - before[1] + process_slots,
        cpu_seconds(RUSAGE_CHILDREN) - before[2] - process_slots,
    )


def _refuse_remote_bots() -> Identity:
    raise StartError("the benchmark has no remote bots")
