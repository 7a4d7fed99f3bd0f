"""Runs a server and the load in processes of their own, and honest clients in this one."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import trio
from attrs import frozen

from tests.cli.processes import Process, serving
from tests.dialect_fuzz.dialects import DIALECTS
from tests.dialect_fuzz.honest import Latencies, for_seconds, honest_clients, measure_while
from tests.dialect_fuzz.load import Load

NICENESS = 10
"""The load leaves the processor to the server and the honest clients."""
SERVER = ("--log-level", "warning")


@frozen
class Outcome:
    """The measurements of a run."""

    seconds: float
    codes: Counter[str]
    """The responses to the load, by their names."""
    before: dict[str, Latencies]
    during: dict[str, Latencies]
    memory_before: int
    memory_after: int
    """The memory of the server in MB."""
    log: str
    """The standard error of the server."""


def fuzz(name: str, connections: int, seed: int, folder: Path, alone_s: float) -> Outcome:
    """Fuzz a server of its own; raise `AssertionError` for anything that is not a response.

    The honest clients are alone on the server for `alone_s` seconds, and then under load.
    """
    dialect = DIALECTS[name]
    with (
        serving(folder, *SERVER, *dialect.options) as server,
        honest_clients(dialect, server, folder) as polls,
    ):
        before, memory_before = measure_while(polls, for_seconds(alone_s)), memory_of(server)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            start = time.monotonic()
            address = server.addresses[dialect.port]
            load = pool.submit(send_load, name, address, folder, seed, connections)
            during = measure_while(polls, lambda: not load.done())
            codes, seconds = load.result(), time.monotonic() - start
        assert server.process.poll() is None, "the server has ended"
        memory_after = memory_of(server)
    log = (folder / "stderr").read_text()
    return Outcome(seconds, codes, before, during, memory_before, memory_after, log)


def send_load(name: str, address: str, folder: Path, seed: int, connections: int) -> Counter[str]:
    """Send the load from this process; return the counts of the responses."""
    os.nice(NICENESS)
    host, _, port = address.rpartition(":")
    load = Load(DIALECTS[name], host, int(port), folder / "cert.pem", seed)
    return trio.run(load.run, connections)


def memory_of(server: Process) -> int:
    """Return the memory of the server in MB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) // 1024
