"""`tabnet bench http`: the same games over the web door and over plain TCP, in the same run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

from tabnet.bench.server import HEADS, LINE, ROUNDS, cells, measured, memory_of_idle, serve, started

DOORS = ("tcp", "http")


def bench(games: list[int], seconds: float, idle: int, out: Callable[[str], Any]) -> None:
    """Measure and tell: for each number of games both doors and their ratio, then idle streams."""
    with tempfile.TemporaryDirectory() as data:
        with started("tabnet", data, serve(data, "--http-port", "0")) as target:
            out(LINE.format(*HEADS))
            for count in games:
                best: dict[str, dict[str, Any]] = {}
                for door in DOORS * ROUNDS:
                    result = measured(target, door, count, seconds)
                    if door not in best or result["p99_ms"] < best[door]["p99_ms"]:
                        best[door] = result
                for door, result in best.items():
                    out(LINE.format(door, count, target.name, *cells(result)))
                    for error in result["errors"]:
                        out(f"      {error}")
                tcp, http = (best[door] for door in DOORS)
                speed = http["commands_per_s"] / tcp["commands_per_s"]
                p99 = http["p99_ms"] / tcp["p99_ms"]
                out(f"{'http/tcp':8} {count:3}  commands/s {speed:.2f}, p99 {p99:.2f}")
        if idle:
            with started("tabnet", data, serve(data, "--http-port", "0")) as target:
                each = memory_of_idle(target, "http", idle)
            out(f"http  {each:.1f} KiB for each of {idle} idle streams")
