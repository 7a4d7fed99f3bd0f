"""`tabnet bench flood`: the effect of attackers on players."""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tabnet.bench.load_client import choose_warm_up_s
from tabnet.bench.server import (
    ServerProcess,
    make_module_command,
    make_server_command,
    measure_load,
    run_server,
)

ROUNDS = 3
AIM = 2.0
"""The greatest acceptable ratio of the p99 under attack to the p99 in peace."""
START_S = 3.0
"""The time by which the attack outlasts the load, because the load needs time to start."""
PATIENCE_S = 30
"""The time limit for attackers to end on a busy machine."""

LINE = "{:>6} {:>6} {:>11} {:>9} {:>9} {:>9} {:>9} {:>6}"
HEADS = ("games", "round", "", "actions/s", "p50 ms", "p99 ms", "server %", "ratio")


def bench(games: list[int], seconds: float, out: Callable[[str], Any]) -> None:
    """Measure in peace and under attack, in turns; print both, and the attackers' fates."""
    out(LINE.format(*HEADS))
    for count in games:
        with (
            tempfile.TemporaryDirectory() as data,
            run_server("tabnet", data, make_server_command(data, limits=())) as server,
        ):
            compare_peace_with_attack(server, count, seconds, out)


def compare_peace_with_attack(
    server: ServerProcess, games: int, seconds: float, out: Callable[[str], Any]
) -> None:
    """Print some rounds of both, and the median of their ratios."""
    ratios, fates = [], Counter[str]()
    for number in range(1, ROUNDS + 1):
        peace = measure_load(server, "tcp", games, seconds)
        out(LINE.format(games, number, "in peace", *_format_cells(peace, seconds), ""))
        with attack_during_block(server, seconds, fates):
            attack = measure_load(server, "tcp", games, seconds)
        ratios.append(attack["p99_ms"] / peace["p99_ms"])
        cells = _format_cells(attack, seconds)
        out(LINE.format(games, number, "attacked", *cells, f"{ratios[-1]:.2f}"))
        for error in [*peace["errors"], *attack["errors"]]:
            out(f"       {error}")
    out(f"{games:6} games: p99 grows by {statistics.median(ratios):.2f}, the aim is {AIM:g}")
    out("attackers: " + ", ".join(f"{number} {fate}" for fate, number in fates.items()))


def _format_cells(result: dict[str, Any], seconds: float) -> list[str]:
    return [
        f"{result['actions_per_s']:.0f}",
        f"{result['p50_ms']:.2f}",
        f"{result['p99_ms']:.2f}",
        f"{100 * result['server_cpu_s'] / (seconds + choose_warm_up_s(seconds)):.0f}",
    ]


@contextmanager
def attack_during_block(
    server: ServerProcess, seconds: float, fates: Counter[str]
) -> Iterator[None]:
    """Attack the server while the block runs, and count the attackers' fates."""
    lasts = seconds + choose_warm_up_s(seconds) + START_S
    ports = [str(server.ports["tcp"]), str(server.ports["tls"])]
    attackers = subprocess.Popen(
        [*make_module_command("tabnet.bench.attackers"), *ports, "--seconds", str(lasts)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        if attackers.stdout is None or attackers.stdout.readline() != "attacking\n":
            raise RuntimeError("the attackers did not start")
        yield
        fates.update(json.loads(attackers.communicate(timeout=PATIENCE_S + lasts)[0]))
    finally:
        attackers.kill()
        attackers.communicate()
