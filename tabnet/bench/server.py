"""`tabnet bench server`: the server beside the yardstick, under the same load in the same run.

Three servers in turns: `bare`, which sends the same lines without a game; `memory`, which is tabnet
with --memory; and `store`, tabnet as it is, which keeps everything before it answers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from attrs import frozen

ROUNDS = 2
"""How often each is measured, in turns: machines are noisy, and the better round counts."""

LOADS = {
    "tcp": ["tabnet.bench.load"],
    "tls": ["tabnet.bench.load", "--tls"],
    "http": ["tabnet.bench.web_load"],
}
"""The load client of each door, and what it is told of it."""

HEADS = (
    "door",
    "games",
    "server",
    "commands/s",
    "moves/s",
    "p50 ms",
    "p99 ms",
    "CPU us",
    "load us",
)
LINE = "{:5} {:>6}  {:7} {:>11} {:>9} {:>8} {:>8} {:>8} {:>8}"


@frozen
class Target:
    """A server in a process of its own."""

    name: str
    process: subprocess.Popen[str]
    ports: dict[str, int]


def bench(
    games: list[int], doors: list[str], seconds: float, idle: int, out: Callable[[str], Any]
) -> None:
    """Measure and tell: for each door and number of games both servers and their ratio."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        commands = {
            "store": serve(data),
            "memory": [*serve(data), "--memory"],
            "bare": [*module("tabnet.bench.bare"), "--data", data],
        }
        servers = [
            stack.enter_context(started(name, data, command)) for name, command in commands.items()
        ]
        out(LINE.format(*HEADS))
        for door in doors:
            for count in games:
                compare(servers, door, count, seconds, out)
    for door in doors if idle else ():
        with tempfile.TemporaryDirectory() as data, started("tabnet", data, serve(data)) as target:
            each = memory_of_idle(target, door, idle)
        out(f"{door:5} {each:.1f} KiB for each of {idle} idle connections")


def module(name: str, *options: str) -> list[str]:
    """How to start a module of this program."""
    return [sys.executable, "-m", name, *options]


def serve(data: str, *more: str) -> list[str]:
    """How to start a server that lets one address load it."""
    options = ["--tls-port", "0", "--tcp-port", "0", *(more or ["--no-http"])]
    options += ["--log-level", "warning", "--data", data]
    options += ["--max-per-address", "10000", "--max-commands", "100000"]
    return [*module("tabnet"), "serve", *options]


@contextmanager
def started(name: str, data: str, command: list[str]) -> Iterator[Target]:
    """A server that has said it is ready; ended at the end."""
    with (Path(data) / f"{name}.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        yield Target(name, process, _ports(process.stdout))
    finally:
        process.terminate()
        try:
            process.communicate(timeout=5)
        finally:
            process.kill()


def _ports(lines: IO[str] | None) -> dict[str, int]:
    ports: dict[str, int] = {}
    for line in lines or ():
        if line == "ready\n":
            return ports
        _, door, address, *_ = line.split()
        ports[door] = int(address.rpartition(":")[2])
    raise RuntimeError("a server did not start")


def compare(
    servers: list[Target], door: str, games: int, seconds: float, out: Callable[[str], Any]
) -> None:
    """All servers under one load, in turns; the better round of each, and their ratios."""
    best: dict[str, dict[str, Any]] = {}
    for _ in range(ROUNDS):
        for target in reversed(servers):
            result = measured(target, door, games, seconds)
            if (
                target.name not in best
                or result["commands_per_s"] > best[target.name]["commands_per_s"]
            ):
                best[target.name] = result
    for name, result in best.items():
        out(LINE.format(door, games, name, *cells(result)))
        for error in result["errors"]:
            out(f"      {error}")
    for name, yardstick in (("memory", "bare"), ("store", "memory")):
        ratio = best[name]["commands_per_s"] / best[yardstick]["commands_per_s"]
        out(f"{door:5} {games:6}  {f'{name}/{yardstick}':13} {ratio:5.2f}")


def measured(target: Target, door: str, games: int, seconds: float) -> dict[str, Any]:
    """One round of load on one server."""
    command = [*module(*LOADS[door]), str(target.ports[door]), "--games", str(games)]
    before = cpu_seconds(target.process.pid)
    ended = subprocess.run(
        [*command, "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True, check=True
    )
    result: dict[str, Any] = json.loads(ended.stdout)
    result["server_cpu_s"] = cpu_seconds(target.process.pid) - before
    return result


def cells(result: dict[str, Any]) -> list[str]:
    """A result as it is shown."""
    each = 1e6 / result["commands"]
    return [
        f"{result['commands_per_s']:.0f}",
        f"{result['actions_per_s']:.0f}",
        f"{result['p50_ms']:.2f}",
        f"{result['p99_ms']:.2f}",
        f"{result['server_cpu_s'] * each:.1f}",
        f"{result['cpu_s'] * each:.1f}",
    ]


def memory_of_idle(target: Target, door: str, connections: int) -> float:
    """KiB that one idle connection costs the server."""
    command = [*module(*LOADS[door]), str(target.ports[door]), "--idle", str(connections)]
    before = resident_kib(target.process.pid)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        if holder.stdout is None or holder.stdout.readline() != "ready\n":
            raise RuntimeError("the idle connections were not made")
        used = resident_kib(target.process.pid) - before
        holder.communicate()
    return used / connections


def cpu_seconds(pid: int) -> float:
    """What a process has used, as Linux tells it."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_kib(pid: int) -> float:
    """The memory a process holds, as Linux tells it."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024
