"""A real server on real sockets of this machine, and a client that talks to it in JSON lines."""

from __future__ import annotations

import hashlib
import json
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import trio
import trustme
from attrs import Factory, frozen
from trio.abc import Stream

from tabnet.dialects.json_lines import JsonLines
from tabnet.dialects.web.http_server import Web
from tabnet.dialects.web.request_checks import Network, RequestRules
from tabnet.server.core.costs.limits import Limits
from tabnet.server.core.service import Service
from tabnet.server.net.hub import Hub
from tabnet.server.net.ports import Port, PortSettings, open_ports
from tabnet.server.net.run_server import open_hub, serve
from tests.polling import TIMEOUT_S


class Entropy:
    """Random bytes that are the same in every run."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._calls = 0

    def __call__(self, size: int) -> bytes:
        self._calls += 1
        return hashlib.sha512(f"{self._seed} {self._calls}".encode()).digest()[:size]


@frozen
class Server:
    """A server that is running, and how to reach it."""

    hub: Hub
    tcp: tuple[str, int]
    tls: tuple[str, int]
    http: tuple[str, int]
    https: tuple[str, int]
    authority: trustme.CA
    stop: trio.Event
    ports: dict[str, Port]
    """All ports, by name."""
    streams: list[Stream] = Factory(list)
    """The streams of clients; they are closed at the end."""

    async def connect(self) -> Talker:
        """A client over plain TCP that has been greeted."""
        talker = Talker(await self.dial())
        assert (await talker.receive())["type"] == "hello"
        return talker

    async def dial(self, port: str = "tcp") -> trio.SocketStream:
        """A bare TCP connection."""
        stream = await trio.open_tcp_stream(*self.ports[port].local_address)
        self.streams.append(stream)
        return stream

    async def connect_tls(self) -> Talker:
        """A client over TLS that has checked the certificate and been greeted."""
        context = ssl.create_default_context()
        self.authority.configure_trust(context)
        stream = await trio.open_ssl_over_tcp_stream(*self.tls, ssl_context=context)
        self.streams.append(stream)
        talker = Talker(stream)
        assert (await talker.receive())["type"] == "hello"
        return talker


def local_ports(
    proxies: Sequence[Network] = (), rules: Callable[[], RequestRules] = RequestRules
) -> list[PortSettings]:
    """One port of each sort, on this machine."""
    web = partial(Web, proxies=proxies, rules=rules)
    return [
        PortSettings("tls", "127.0.0.1", 0, JsonLines, is_tls=True),
        PortSettings("tcp", "127.0.0.1", 0, JsonLines),
        PortSettings("http", "127.0.0.1", 0, web),
        PortSettings("https", "127.0.0.1", 0, partial(web, scheme="https"), is_tls=True),
    ]


@asynccontextmanager
async def opened_hub(
    seed: str | None, limits: Limits | None, folder: Path | None
) -> AsyncIterator[Hub]:
    """The hub of a server; see `running`."""
    if folder is None:
        yield Hub(Service(Entropy(seed)) if seed is not None else None, limits=limits)
        return
    async with open_hub(folder, limits=limits) as hub:
        yield hub


@asynccontextmanager
async def running(
    seed: str | None = None,
    limits: Limits | None = None,
    proxies: Sequence[Network] = (),
    rules: Callable[[], RequestRules] = RequestRules,
    more_ports: Sequence[PortSettings] = (),
    folder: Path | None = None,
    timeout_s: float | None = None,
) -> AsyncIterator[Server]:
    """A server for the length of a block; a seed makes its ids, tokens and dice repeatable.

    With a folder, the server continues where the last one in that folder ended. `timeout_s` is the
    maximum time of the block.
    """
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    settings = {each.name: each for each in [*local_ports(proxies, rules), *more_ports]}
    ports = await open_ports(settings.values())
    stop = trio.Event()
    async with opened_hub(seed, limits, folder) as hub, trio.open_nursery() as nursery:
        # The ports are open already: a client that connects before `serve` runs waits.
        nursery.start_soon(partial(serve, hub, list(ports.values()), lambda: context, stop))  # noqa: ASYNC113
        with trio.fail_after(TIMEOUT_S if timeout_s is None else timeout_s):
            server = Server(
                hub,
                ports["tcp"].local_address,
                ports["tls"].local_address,
                ports["http"].local_address,
                ports["https"].local_address,
                authority,
                stop,
                ports,
            )
            try:
                yield server
            finally:
                hub.skip_grace()
                stop.set()
                for stream in server.streams:
                    with trio.CancelScope(shield=True):
                        await trio.aclose_forcefully(stream)


class Talker:
    """One connection, a line at a time."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._buffer = b""

    async def send_line(self, line: bytes) -> None:
        """Any bytes, with an LF behind them."""
        await self.stream.send_all(line + b"\n")

    async def send(self, **command: Any) -> None:
        """One command."""
        await self.send_line(json.dumps(command).encode())

    async def receive_line(self) -> bytes:
        """The next line; empty when the server has closed the connection."""
        while b"\n" not in self._buffer:
            data = await self.stream.receive_some(65536)
            if not data:
                return b""
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    async def receive(self) -> dict[str, Any]:
        """The next frame."""
        line = await self.receive_line()
        assert line, "the server closed the connection"
        frame: dict[str, Any] = json.loads(line)
        return frame

    async def ask(self, **command: Any) -> dict[str, Any]:
        """Send a command and return its reply; frames before it are dropped."""
        await self.send(**command)
        while (frame := await self.receive())["type"] != "reply":
            pass
        return frame

    async def until(self, **wanted: Any) -> dict[str, Any]:
        """Return the next frame with these fields; frames before it are dropped."""
        while True:
            frame = await self.receive()
            if wanted.items() <= frame.items():
                return frame
