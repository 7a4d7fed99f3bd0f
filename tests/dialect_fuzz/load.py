"""Connections that send anything at all: random bytes, requests, requests that are nearly right."""

from __future__ import annotations

import random
import ssl
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import trio
from attrs import define, field

from tests.dialect_fuzz.part import FuzzedDialect
from tests.fuzz.lines import mutated

AT_ONCE = 24
STALLED = 60
"""The connections that have sent half a request, or nothing, and stay open."""
LONGEST = 100_000
CLOSES_WITHIN_S = 30
"""The time in which a connection ends after its client has said that it finishes."""
PIECES = (1, 7, 100, LONGEST)
SMALL_PIECES = 40

TLS_HELLO = bytes.fromhex("16030100c8010000c40303")
"""The first bytes of a TLS handshake."""
HTTP_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


@define
class Load:
    """Opens the connections, and counts the responses by their names."""

    dialect: FuzzedDialect
    host: str
    port: int
    certificate: Path
    """The certificate of the server."""
    seed: int
    codes: Counter[str] = field(factory=Counter)
    _ids: deque[tuple[bytes, ...]] = field(factory=lambda: deque(maxlen=STALLED))
    _stalled: deque[trio.abc.Stream] = field(factory=deque)
    _context: ssl.SSLContext = field()

    @_context.default
    def _trust_server(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.certificate)

    async def run(self, connections: int) -> Counter[str]:
        """Open all connections, `AT_ONCE` at a time; return the counts."""
        numbers = iter(range(connections))
        async with trio.open_nursery() as nursery:
            for _ in range(AT_ONCE):
                nursery.start_soon(self._open_in_turn, numbers)
        while self._stalled:
            await trio.aclose_forcefully(self._stalled.popleft())
        return self.codes

    async def _open_in_turn(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            with trio.fail_after(CLOSES_WITHIN_S):
                await self._open(random.Random(f"{self.seed} {number}"))

    async def _open(self, luck: random.Random) -> None:
        """Open one connection, and end it or leave it stalled."""
        stream: trio.abc.Stream = await trio.open_tcp_stream(self.host, self.port)
        ending = luck.choices(["finish", "cut", "stall"], [14, 3, 3])[0]
        if ending == "stall" and luck.random() < 0.3:
            await self._stall(stream)  # before anything is sent
            return
        is_plain_by_mistake = self.dialect.is_tls and luck.random() < 0.05
        if self.dialect.is_tls and not is_plain_by_mistake:
            stream = trio.SSLStream(
                stream, self._context, server_hostname=self.host, https_compatible=True
            )
            await stream.do_handshake()
        if ending == "stall":
            received = await self._stall_after_response(stream, luck)
            self._ids.extend(each.groups() for each in self.dialect.id_pattern.finditer(received))
        else:
            received = await self._converse(stream, luck, is_cut=ending == "cut")
        if not is_plain_by_mistake:
            self.codes.update(self.dialect.read_codes(received))

    def _anything(self, luck: random.Random) -> bytes:
        """Return a request as it should be or nearly, or nothing like one."""
        kind = luck.random()
        if kind < 0.08:
            return luck.randbytes(luck.randrange(300))
        if kind < 0.1:
            return luck.choice([TLS_HELLO, HTTP_HEAD])
        if kind < 0.11:
            return luck.randbytes(1) * luck.randrange(LONGEST)
        request = self.dialect.request(luck, self._ids)
        return request if kind < 0.7 else mutated(request, luck.getrandbits(32))

    async def _stall_after_response(self, stream: trio.abc.Stream, luck: random.Random) -> bytes:
        """Wait for the response to a request, send half of another, and keep the connection."""
        received = b""
        with suppress(*GONE):
            await stream.send_all(self.dialect.request(luck, self._ids))
            received = await stream.receive_some()
            half = self.dialect.request(luck, self._ids)
            await stream.send_all(half[: len(half) // 2])
        await self._stall(stream)
        return received

    async def _stall(self, stream: trio.abc.Stream) -> None:
        """Keep a connection open; cut the one that has been open for longest."""
        self._stalled.append(stream)
        if len(self._stalled) > STALLED:
            await trio.aclose_forcefully(self._stalled.popleft())

    async def _converse(
        self, stream: trio.abc.Stream, luck: random.Random, *, is_cut: bool
    ) -> bytes:
        """Send anything and a farewell, or disconnect instead; return what has been received."""
        data = b"".join(self._anything(luck) for _ in range(luck.randrange(1, 9)))
        received = bytearray()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._send, stream, data, luck, is_cut)
            with suppress(*GONE):
                while more := await stream.receive_some():
                    received += more
            nursery.cancel_scope.cancel()
        await trio.aclose_forcefully(stream)
        return bytes(received)

    async def _send(
        self, stream: trio.abc.Stream, data: bytes, luck: random.Random, is_cut: bool
    ) -> None:
        """Send the data in pieces."""
        with suppress(*GONE):
            for size in islice((luck.choice(PIECES) for _ in data), SMALL_PIECES):
                await stream.send_all(data[:size])
                data = data[size:]
            await stream.send_all(data if is_cut else data + self.dialect.farewell)
            if is_cut:
                await trio.aclose_forcefully(stream)
            elif isinstance(stream, trio.SocketStream):
                await stream.send_eof()
