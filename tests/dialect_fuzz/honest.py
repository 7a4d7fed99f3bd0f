"""Honest clients over blocking sockets, and the time that each of their requests takes."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from attrs import define, field

from tests.cli.processes import Process
from tests.dialect_fuzz.part import Connect, FuzzedDialect, Poll
from tests.polling import TIMEOUT_S

EVERY_S = 0.005
"""The pause between two requests of an honest client."""


@define
class Latencies:
    """The times of requests in milliseconds."""

    times: list[float] = field(factory=list)

    def measure(self, poll: Poll) -> None:
        """Send one request."""
        start = time.perf_counter()
        poll()
        self.times.append(1000 * (time.perf_counter() - start))

    def __str__(self) -> str:
        ordered = sorted(self.times)
        middle, late = (ordered[int(part * (len(ordered) - 1))] for part in (0.5, 0.99))
        return (
            f"p50 {middle:.1f} ms, p99 {late:.1f} ms, slowest {ordered[-1]:.1f} ms "
            f"({len(ordered)} requests)"
        )


@contextmanager
def honest_clients(
    dialect: FuzzedDialect, server: Process, folder: Path
) -> Iterator[dict[str, Poll]]:
    """The requests of honest clients, by the name of their port; they disconnect at the end."""
    with ExitStack() as connections:

        def connect(address: str, context: ssl.SSLContext | None = None) -> socket.socket:
            return connections.enter_context(open_connection(address, context))

        context = ssl.create_default_context(cafile=folder / "cert.pem")
        own = partial(connect, server.addresses[dialect.port], context if dialect.is_tls else None)
        ping = begin_pings(partial(connect, server.tcp))
        yield {dialect.port: dialect.begin(own), "native": ping}


def measure_while(polls: dict[str, Poll], goes_on: Callable[[], bool]) -> dict[str, Latencies]:
    """Send the requests in turn while the condition holds, at least once each."""
    found = {name: Latencies() for name in polls}
    while True:
        for name, poll in polls.items():
            found[name].measure(poll)
        if not goes_on():
            return found
        time.sleep(EVERY_S)


def for_seconds(seconds: float) -> Callable[[], bool]:
    """Return a condition that holds for so long."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


def begin_pings(connect: Connect) -> Poll:
    """Connect a native client, which sends pings."""
    stream = connect().makefile("rwb")
    assert b'"hello"' in stream.readline()

    def poll() -> None:
        stream.write(b'{"cmd":"ping"}\n')
        stream.flush()
        assert b'"ping"' in stream.readline()

    return poll


def open_connection(address: str, context: ssl.SSLContext | None) -> socket.socket:
    """Connect, over TLS if there is a context, which checks the server's certificate."""
    host, _, port = address.rpartition(":")
    connection = socket.create_connection((host, int(port)), timeout=TIMEOUT_S)
    return connection if context is None else context.wrap_socket(connection, server_hostname=host)


def format_latencies(found: dict[str, Latencies]) -> Iterable[str]:
    """Yield a line for each client."""
    for name, latencies in found.items():
        yield f"{name:>10}: {latencies}"
