"""`tabnet bench flood`: what players notice of attackers."""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tabnet.bench.load import WARM_UP_S
from tabnet.bench.server import Target, measured, module, started

ROUNDS = 3
AIM = 2.0
"""The p99 under attack is to be at most so many times the one in peace."""
START_S = 3.0
"""How much longer than the load the attack lasts: the load takes a while to start."""
PATIENCE_S = 30
"""How long attackers may take to end, on a machine that has no time for them."""

LINE = "{:>6} {:>6} {:>11} {:>9} {:>9} {:>9} {:>9} {:>6}"
HEADS = ("games", "round", "", "actions/s", "p50 ms", "p99 ms", "server %", "ratio")


def bench(games: list[int], seconds: float, out: Callable[[str], Any]) -> None:
    """Measure in peace and under attack, in turns; tell both, and what became of the attackers."""
    out(LINE.format(*HEADS))
    for count in games:
        with tempfile.TemporaryDirectory() as data, started("tabnet", data, serve(data)) as target:
            compare(target, count, seconds, out)


def serve(data: str) -> list[str]:
    """A server with the limits that everybody has."""
    options = ["--tls-port", "0", "--tcp-port", "0", "--no-http"]
    options += ["--log-level", "warning", "--data", data]
    return [*module("tabnet"), "serve", *options]


def compare(target: Target, games: int, seconds: float, out: Callable[[str], Any]) -> None:
    """Some rounds of both, and the median of their ratios."""
    ratios, fates = [], Counter[str]()
    for number in range(1, ROUNDS + 1):
        peace = measured(target, "tcp", games, seconds)
        out(LINE.format(games, number, "in peace", *_cells(peace, seconds), ""))
        with attacked(target, seconds, fates):
            attack = measured(target, "tcp", games, seconds)
        ratios.append(attack["p99_ms"] / peace["p99_ms"])
        told = _cells(attack, seconds)
        out(LINE.format(games, number, "attacked", *told, f"{ratios[-1]:.2f}"))
        for error in [*peace["errors"], *attack["errors"]]:
            out(f"       {error}")
    out(f"{games:6} games: p99 grows by {statistics.median(ratios):.2f}, the aim is {AIM:g}")
    out("attackers: " + ", ".join(f"{number} {fate}" for fate, number in fates.items()))


def _cells(result: dict[str, Any], seconds: float) -> list[str]:
    return [
        f"{result['actions_per_s']:.0f}",
        f"{result['p50_ms']:.2f}",
        f"{result['p99_ms']:.2f}",
        f"{100 * result['server_cpu_s'] / (seconds + WARM_UP_S):.0f}",
    ]


@contextmanager
def attacked(target: Target, seconds: float, fates: Counter[str]) -> Iterator[None]:
    """Attack the server while the block runs; afterwards the attackers' fates are counted."""
    lasts = seconds + WARM_UP_S + START_S
    ports = [str(target.ports["tcp"]), str(target.ports["tls"])]
    attackers = subprocess.Popen(
        [*module("tabnet.bench.attackers"), *ports, "--seconds", str(lasts)],
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
