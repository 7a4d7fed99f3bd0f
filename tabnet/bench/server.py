"""`tabnet bench server`: the server beside the yardstick, under the same load in the same run.

Three servers take turns: `bare` sends the same lines without a game; `memory` is tabnet with
--memory; `store` is tabnet with its database.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from attrs import frozen

from tabnet.bench.output import Output
from tabnet.protocol.messages import TURNS, UPDATES

NO_LIMITS = ("--max-per-address", "10000", "--max-commands", "100000")
ROUNDS = 3
"""The number of rounds of each; the median counts, because machines are noisy."""

LOADS = {
    "tcp": ["tabnet.bench.load_client"],
    "tls": ["tabnet.bench.load_client", "--tls"],
    "http": ["tabnet.bench.http_load_client"],
}
"""The command of the load client for each kind of port."""

HEADS = [
    "port",
    "games",
    "server",
    "commands/s",
    "moves/s",
    "p50 ms",
    "p99 ms",
    "CPU us",
    "load us",
]
LINE = "{:5} {:>6}  {:7} {:>11} {:>9} {:>8} {:>8} {:>8} {:>8}"


@frozen
class ServerProcess:
    """A server in its own process."""

    name: str
    process: subprocess.Popen[str]
    ports: dict[str, int]


def bench(
    games: list[int], ports: list[str], feed: str, seconds: float, idle: int, out: Output
) -> None:
    """Print the figures of all servers and their ratios, by kind of port and number of games."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        commands = {
            "store": make_server_command(data),
            "memory": [*make_server_command(data), "--memory"],
            "bare": [*make_module_command("tabnet.bench.bare_server"), "--data", data],
        }
        servers = [
            stack.enter_context(run_server(name, data, command))
            for name, command in commands.items()
        ]
        out(LINE.format(*HEADS))
        for port in ports:
            for count in games:
                compare_servers(servers, port, count, feed, seconds, out)
    for port in ports if idle else ():
        with (
            tempfile.TemporaryDirectory() as data,
            run_server("tabnet", data, make_server_command(data)) as server,
        ):
            each = measure_idle_memory(server, port, idle)
        out(
            f"{port:5} {each:.1f} KiB for each of {idle} idle connections",
            measured="idle",
            port=port,
            connections=idle,
            kib_per_connection=each,
        )


def make_module_command(name: str, *options: str) -> list[str]:
    return [sys.executable, "-m", name, *options]


def make_server_command(data: str, *more: str, limits: Iterable[str] = NO_LIMITS) -> list[str]:
    """Return the command of a server; by default it accepts the whole load from one address."""
    options = ["--tls-port", "0", "--tcp-port", "0", *(more or ["--no-http"])]
    options += ["--log-level", "warning", "--data", data, *limits]
    return [*make_module_command("tabnet"), "serve", *options]


@contextmanager
def run_server(name: str, data: str, command: list[str]) -> Iterator[ServerProcess]:
    """Start a server, wait until it is ready, and stop it at the end."""
    with (Path(data) / f"{name}.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        yield ServerProcess(name, process, _wait_until_ready(process.stdout))
    finally:
        process.terminate()
        try:
            process.communicate(timeout=5)
        finally:
            process.kill()


def _wait_until_ready(lines: IO[str] | None) -> dict[str, int]:
    ports: dict[str, int] = {}
    for line in lines or ():
        if line == "ready\n":
            return ports
        _, port, address, *_ = line.split()
        ports[port] = int(address.rpartition(":")[2])
    raise RuntimeError("a server did not start")


def compare_servers(
    servers: list[ServerProcess], port: str, games: int, feed: str, seconds: float, out: Output
) -> None:
    """Load all servers in turns; print the median round of each, and their ratios."""
    rounds: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for server in list(reversed(servers)) * ROUNDS:
        rounds[server.name].append(measure_load(server, port, games, seconds, feed))
    speed = itemgetter("commands_per_s")
    middle = {name: sorted(results, key=speed)[ROUNDS // 2] for name, results in rounds.items()}
    for name, result in middle.items():
        print_load(port, games, name, result, out)
    for name, yardstick in (("memory", "bare"), ("store", "memory")):
        ratio = speed(middle[name]) / speed(middle[yardstick])
        cpu = compute_cpu_us(middle[name]) / compute_cpu_us(middle[yardstick])
        compared = f"{name}/{yardstick}"
        out(
            f"{port:5} {games:6}  {compared:13} {ratio:5.2f}  CPU {cpu:.2f}",
            measured="ratio",
            port=port,
            games=games,
            servers=compared,
            commands_ratio=ratio,
            cpu_ratio=cpu,
        )


def print_load(port: str, games: int, server: str, result: dict[str, Any], out: Output) -> None:
    """Print the figures of a load client, and the errors that it had."""
    figures = compute_figures(result)
    formats = (".0f", ".0f", ".2f", ".2f", ".1f", ".1f")
    cells = [f"{value:{form}}" for value, form in zip(figures.values(), formats, strict=True)]
    fields = {"measured": "load", "port": port, "games": games, "server": server}
    out(LINE.format(port, games, server, *cells), **fields, **figures, errors=result["errors"])
    for error in result["errors"]:
        out(f"      {error}")


def measure_load(
    server: ServerProcess, port: str, games: int, seconds: float, feed: str = UPDATES
) -> dict[str, Any]:
    options = [str(server.ports[port]), "--games", str(games), "--seconds", str(seconds)]
    options += ["--turns"] if feed == TURNS else []
    command = make_module_command(*LOADS[port], *options)
    before = read_cpu_seconds(server.process.pid)
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    result: dict[str, Any] = json.loads(ended.stdout)
    result["server_cpu_s"] = read_cpu_seconds(server.process.pid) - before
    return result


def compute_cpu_us(result: dict[str, Any]) -> float:
    """Return the server's CPU time for each command, in microseconds."""
    return float(1e6 * result["server_cpu_s"] / result["commands"])


def compute_figures(result: dict[str, Any]) -> dict[str, float]:
    """Return the figures of a load client and its server, in the order of the table."""
    return {
        "commands_per_s": result["commands_per_s"],
        "moves_per_s": result["actions_per_s"],
        "p50_ms": result["p50_ms"],
        "p99_ms": result["p99_ms"],
        "cpu_us_per_command": compute_cpu_us(result),
        "load_client_us_per_command": 1e6 * result["cpu_s"] / result["commands"],
    }


def measure_idle_memory(server: ServerProcess, port: str, connections: int) -> float:
    """Return the KiB of server memory for each idle connection."""
    options = [str(server.ports[port]), "--idle", str(connections)]
    command = make_module_command(*LOADS[port], *options)
    before = read_resident_kib(server.process.pid)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        if holder.stdout is None or holder.stdout.readline() != "ready\n":
            raise RuntimeError("the idle connections were not made")
        used = read_resident_kib(server.process.pid) - before
        holder.communicate()
    return used / connections


def read_cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_resident_kib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024
