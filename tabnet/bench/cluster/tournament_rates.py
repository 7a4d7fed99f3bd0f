"""`tabnet bench cluster`: tournaments on a Dask cluster of this machine, and without a cluster.

Every tournament is a process of its own, as users start it. Its first seconds do not count. Its
games are counted by the time at which they began.
"""

from __future__ import annotations

import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabnet.bench.cluster import slow_bot
from tabnet.bench.output import Output
from tabnet.errors import StartError
from tabnet.tournament.play.cluster.local_cluster import run_local_cluster
from tabnet.tournament.play.journal_file import read_journal_file

ROUNDS = 3
"""The rounds of each tournament that is compared with another; the median counts."""
WARM_UP_S = 10.0
"""The time after the first game in which tasks reach their usual length."""
LAST_TASKS_S = 10.0
"""The time for the results of the games that were counted to arrive."""
START_S = 60.0
"""The time limit for the first result."""
LOOK_S = 0.2

WORKING = f"{slow_bot.__file__}:work_ms=1"
WAITING = f"{slow_bot.__file__}:pause_ms=20"
SHORT_GAMES = ("--max-moves", "40")
"""With bots that wait for 20 ms, such a game takes less than a second."""


def measure_overhead(seconds: float, out: Output) -> None:
    """Compare two workers with the same machine without a cluster, in turns."""
    out("bots that work for 1 ms before each move, 2 games at once")
    here: list[float] = []
    there: list[float] = []
    with run_local_cluster(2) as address:
        for _ in range(ROUNDS):
            here.append(measure_rate(WORKING, ("--concurrency", "2"), seconds))
            there.append(measure_rate(WORKING, ("--dask", address), seconds))
            out(
                f"  without a cluster {here[-1]:.2f} games/s, 2 workers {there[-1]:.2f} games/s",
                measured="overhead",
                without_cluster_games_per_s=here[-1],
                workers=2,
                cluster_games_per_s=there[-1],
            )
    ratio = statistics.median(there) / statistics.median(here)
    out(f"  ratio of the medians: {ratio:.3f}", measured="overhead ratio", games_ratio=ratio)


def measure_scaling(seconds: float, out: Output) -> None:
    """Compare eight workers with one."""
    out("bots that wait for 20 ms before each move, one game at once on each worker")
    rates = {}
    for workers in (1, 8):
        with run_local_cluster(workers) as address:
            rates[workers] = measure_rate(WAITING, (*SHORT_GAMES, "--dask", address), seconds)
        ratio = rates[workers] / rates[1]
        out(
            f"  {workers} workers: {rates[workers]:.2f} games/s, {ratio:.2f} times one worker",
            measured="scaling",
            workers=workers,
            games_per_s=rates[workers],
            games_ratio=ratio,
        )


def measure_rate(bot: str, options: tuple[str, ...], seconds: float) -> float:
    """Let a bot play against itself; return the number of games that begin in a second."""
    with (
        tempfile.TemporaryDirectory() as folder,
        run_tournament(Path(folder), (bot, bot, *options)) as (_, began),
    ):
        first = began + WARM_UP_S
        last = first + seconds
        time.sleep(max(0.0, last + LAST_TASKS_S - time.time()))
        timings = read_journal_file(Path(folder)).timings.values()
    return sum(first <= timing.began < last for timing in timings) / seconds


@contextmanager
def run_tournament(folder: Path, arguments: tuple[str, ...]) -> Iterator[tuple[int, float]]:
    """Play a tournament without end; yields its process id and the start of its first game."""
    log = folder / "output.txt"
    command = [sys.executable, "-m", "tabnet", "tournament", *arguments]
    settings = ["--size", "7", "--pairs", "100000", "--seed", "bench", "--out", str(folder)]
    with (
        log.open("wb") as output,
        subprocess.Popen([*command, *settings], stdout=output, stderr=output) as process,
    ):
        try:
            yield process.pid, wait_for_first_game(folder, process, log)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(START_S)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_for_first_game(folder: Path, process: subprocess.Popen[bytes], log: Path) -> float:
    """Return the time at which the first game with a result began."""
    give_up_at = time.monotonic() + START_S
    while time.monotonic() < give_up_at and process.poll() is None:
        time.sleep(LOOK_S)
        if (folder / "journal.jsonl").exists():
            timings = read_journal_file(folder).timings
            if timings:
                return min(timing.began for timing in timings.values())
    text = log.read_text(errors="replace").strip().split("\n")[-1]
    raise StartError(f"the tournament has not begun: {text}")
