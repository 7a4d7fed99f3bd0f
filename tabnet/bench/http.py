"""`tabnet bench http`: the same games over HTTP and over plain TCP, in the same run."""

from __future__ import annotations

import tempfile
from typing import Any

from tabnet.bench.output import Output
from tabnet.bench.server import (
    HEADS,
    LINE,
    ROUNDS,
    make_server_command,
    measure_idle_memory,
    measure_load,
    print_load,
    run_server,
)

DOORS = ("tcp", "http")


def bench(games: list[int], seconds: float, idle: int, out: Output) -> None:
    """Print HTTP, TCP and their ratio for each number of games, then the memory of idle streams."""
    with tempfile.TemporaryDirectory() as data:
        with run_server("tabnet", data, make_server_command(data, "--http-port", "0")) as server:
            out(LINE.format(*HEADS))
            for count in games:
                best: dict[str, dict[str, Any]] = {}
                for port in DOORS * ROUNDS:
                    result = measure_load(server, port, count, seconds)
                    if port not in best or result["p99_ms"] < best[port]["p99_ms"]:
                        best[port] = result
                for port, result in best.items():
                    print_load(port, count, server.name, result, out)
                tcp, http = (best[port] for port in DOORS)
                speed = http["commands_per_s"] / tcp["commands_per_s"]
                p99 = http["p99_ms"] / tcp["p99_ms"]
                out(
                    f"{'http/tcp':8} {count:3}  commands/s {speed:.2f}, p99 {p99:.2f}",
                    measured="ratio",
                    ports="http/tcp",
                    games=count,
                    commands_ratio=speed,
                    p99_ratio=p99,
                )
        if idle:
            with run_server(
                "tabnet", data, make_server_command(data, "--http-port", "0")
            ) as server:
                each = measure_idle_memory(server, "http", idle)
            out(
                f"http  {each:.1f} KiB for each of {idle} idle streams",
                measured="idle",
                port="http",
                connections=idle,
                kib_per_connection=each,
            )
