"""The limits of a tournament on a cluster: how many workers its scheduler and its runner can serve.

As many workers as fit on this machine take part; they sleep instead of playing. The CPU time of the
scheduler and of the runner tells how many workers would use a whole core of each.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from tabnet.bench.cluster.tournament_rates import run_tournament
from tabnet.bench.output import Output
from tabnet.bench.server import read_cpu_seconds
from tabnet.tournament.play.journal_file import open_journal, read_journal_file
from tabnet.tournament.records.journal_lines import JOURNAL

PER_PROCESS = 100
"""The simulated workers in one process."""
GAME_S = (0.1, 1.0, 10.0)
"""The seconds of a game, in turns."""
SETTLE_S = 15.0
"""The time after the first result in which tasks reach their usual length."""
PAIRS_TO_MEASURE = 3
"""The pairs that each worker plays at least: long games of all workers end at the same time."""
CONNECT_S = 30.0
LINES_PER_WRITE = 100

HEADS = ("workers", "s/game", "games/s", "scheduler", "runner", "scheduler", "runner", "runner")
UNITS = ("", "", "", "CPU %", "CPU %", "limit", "limit", "MiB")
LINE = "{:>9} {:>7} {:>9} {:>10} {:>7} {:>10} {:>7} {:>7}"


def measure_all_limits(workers: int, seconds: float, out: Output) -> None:
    """Print the CPU time of scheduler and runner, and the workers that would use a whole core."""
    out("workers that sleep instead of playing")
    out("limit: the number of workers with which the scheduler or the runner uses a whole core")
    out(LINE.format(*HEADS))
    out(LINE.format(*UNITS))
    for game_s in GAME_S:
        figures = measure_limits(workers, game_s, seconds)
        out(_format_limits(figures), measured="limits", **figures)
    rate = measure_journal(seconds)
    out(f"the journal takes {rate:.0f} games/s", measured="journal", games_per_s=rate)


def _format_limits(figures: dict[str, Any]) -> str:
    """Return a line of the table."""
    formats = ("", "g", ".1f", ".1f", ".1f", ".0f", ".0f", ".0f")
    cells = zip(figures.values(), formats, strict=True)
    return LINE.format(*("" if value is None else f"{value:{form}}" for value, form in cells))


def measure_limits(workers: int, game_s: float, seconds: float) -> dict[str, Any]:
    """Return the figures of a line of the table, in its order."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        scheduler, address = stack.enter_context(run_scheduler())
        for first in range(0, workers, PER_PROCESS):
            count = min(PER_PROCESS, workers - first)
            stack.enter_context(run_simulated_workers(address, count, game_s))
        arguments = ("random", "first", "--dask", address)
        runner, _ = stack.enter_context(run_tournament(folder, arguments))
        time.sleep(SETTLE_S + game_s)
        pids = scheduler, runner
        before, games, began = [read_cpu_seconds(pid) for pid in pids], count_games(folder), now()
        time.sleep(max(seconds, PAIRS_TO_MEASURE * 2 * game_s))
        cpu = [read_cpu_seconds(pid) - each for pid, each in zip(pids, before, strict=True)]
        elapsed = now() - began
        rate = (count_games(folder) - games) / elapsed
        shares = [each / elapsed for each in cpu]
        memory = read_resident_mib(runner)
    limits = [workers / share if share > 0 else None for share in shares]
    return {
        "workers": workers,
        "game_s": game_s,
        "games_per_s": rate,
        "scheduler_cpu_percent": 100 * shares[0],
        "runner_cpu_percent": 100 * shares[1],
        "scheduler_limit_workers": limits[0],
        "runner_limit_workers": limits[1],
        "runner_mib": memory,
    }


def now() -> float:
    return time.monotonic()


def count_games(folder: Path) -> int:
    return len(read_journal_file(folder).results)


def read_resident_mib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def measure_journal(seconds: float) -> float:
    """Return the lines that a journal on this disk takes in a second, many at a time."""
    line = b"x" * 440 + b"\n"
    with tempfile.TemporaryDirectory() as folder, open_journal(Path(folder)) as journal:
        (Path(folder) / JOURNAL).touch()
        began, lines = now(), 0
        while now() - began < min(seconds, 3.0):
            for _ in range(LINES_PER_WRITE):
                journal.add_line(line)
            journal.flush()
            lines += LINES_PER_WRITE
        return lines / (now() - began)


@contextmanager
def run_scheduler() -> Iterator[tuple[int, str]]:
    """Run a scheduler in a process of its own; yields its process id and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show"]
    options += ["--dashboard-address", "127.0.0.1:0"]
    with run_module("distributed.cli.dask_scheduler", *options) as pid:
        give_up_at = now() + CONNECT_S
        while now() < give_up_at:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield pid, f"tcp://127.0.0.1:{port}"


@contextmanager
def run_simulated_workers(scheduler: str, workers: int, game_s: float) -> Iterator[None]:
    options = ("--workers", str(workers), "--game", str(game_s))
    with run_module("tabnet.bench.cluster.simulated_workers", scheduler, *options):
        yield


@contextmanager
def run_module(module: str, *arguments: str) -> Iterator[int]:
    """Run a module in a process of its own without output; yields its process id."""
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.pid
        finally:
            process.kill()
