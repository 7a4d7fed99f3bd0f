"""`tabnet bench flood`: the effect of attackers on players."""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tabnet.bench.load_client import choose_warm_up_s
from tabnet.bench.output import Output
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


def bench(games: list[int], seconds: float, out: Output) -> None:
    """Measure in peace and under attack, in turns; print both, and the attackers' fates."""
    out(LINE.format(*HEADS))
    for count in games:
        with (
            tempfile.TemporaryDirectory() as data,
            run_server("tabnet", data, make_server_command(data, limits=())) as server,
        ):
            compare_peace_with_attack(server, count, seconds, out)


def compare_peace_with_attack(
    server: ServerProcess, games: int, seconds: float, out: Output
) -> None:
    """Print some rounds of both, and the median of their ratios."""
    ratios, fates = [], Counter[str]()
    for number in range(1, ROUNDS + 1):
        peace = measure_load(server, "tcp", games, seconds)
        _print_load(games, number, "in peace", peace, seconds, None, out)
        with attack_during_block(server, seconds, fates):
            attack = measure_load(server, "tcp", games, seconds)
        ratios.append(attack["p99_ms"] / peace["p99_ms"])
        _print_load(games, number, "attacked", attack, seconds, ratios[-1], out)
        for error in [*peace["errors"], *attack["errors"]]:
            out(f"       {error}")
    growth = statistics.median(ratios)
    out(
        f"{games:6} games: p99 grows by {growth:.2f}, the aim is {AIM:g}",
        measured="growth",
        games=games,
        p99_ratio=growth,
        aim_ratio=AIM,
    )
    out(
        "attackers: " + ", ".join(f"{number} {fate}" for fate, number in fates.items()),
        measured="attackers",
        games=games,
        counts=dict(fates),
    )


def _print_load(
    games: int,
    number: int,
    condition: str,
    result: dict[str, Any],
    seconds: float,
    ratio: float | None,
    out: Output,
) -> None:
    speed, p50, p99 = (result[name] for name in ("actions_per_s", "p50_ms", "p99_ms"))
    share = 100 * result["server_cpu_s"] / (seconds + choose_warm_up_s(seconds))
    cells = (f"{speed:.0f}", f"{p50:.2f}", f"{p99:.2f}", f"{share:.0f}")
    last = "" if ratio is None else f"{ratio:.2f}"
    out(
        LINE.format(games, number, condition, *cells, last),
        measured="load",
        games=games,
        round=number,
        condition=condition,
        moves_per_s=speed,
        p50_ms=p50,
        p99_ms=p99,
        server_cpu_percent=share,
        errors=result["errors"],
    )


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
