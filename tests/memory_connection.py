"""A connection in memory: the server's end is a transport, the client's a stream for a `Talker`."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import trio

from tabnet.dialects.json_lines import JsonLines
from tabnet.server.net.accepted_sockets import serve_transport
from tabnet.server.net.hub import Hub
from tabnet.server.net.shared_reader import Take
from tests.harness import Talker


class MemoryTransport:
    """The server's end. It takes `room` bytes before the client has to read."""

    def __init__(self, room: float = math.inf) -> None:
        self.client = MemoryStream(self)
        self.room = room
        self.closed = False
        self._sent = bytearray()
        self._token = trio.lowlevel.current_trio_token()
        self._change = trio.lowlevel.ParkingLot()
        self._send_received, self._received = trio.open_memory_channel[bytes](math.inf)

    async def receive(self, take: Take | None = None) -> bytes:
        """Return the next bytes that the client has sent, and that `take` leaves."""
        data = await self._received.receive()
        while data and take is not None and take(data):
            data = await self._received.receive()
        return data

    def send(self, data: bytes | memoryview) -> int:
        """Take as many bytes as there is room for; return their number."""
        taken = int(min(len(data), self.room - len(self._sent)))
        self._sent += data[:taken]
        # The hub sends while trio is about to wait, as into a socket: nothing may be woken here.
        self._token.run_sync_soon(self._change.unpark_all)
        return taken

    async def wait_writable(self) -> None:
        """Wait until the client has read."""
        while len(self._sent) >= self.room:
            await self._change.park()
        await trio.lowlevel.checkpoint()

    def close(self) -> None:
        """Disconnect."""
        self.closed = True
        self._change.unpark_all()

    async def wait_closed(self) -> None:
        """Wait until the server has disconnected."""
        while not self.closed:
            await self._change.park()

    def make_room(self, room: float = math.inf) -> None:
        """Let the client take so many bytes from now on."""
        self.room = room
        self._change.unpark_all()

    async def read(self) -> bytes:
        """Return the bytes that the server has sent; empty when it has closed the connection."""
        while not self._sent and not self.closed:
            await self._change.park()
        data = bytes(self._sent)
        self._sent.clear()
        self._change.unpark_all()
        return data

    def deliver(self, data: bytes) -> None:
        """Let the server receive these bytes."""
        self._send_received.send_nowait(data)


class MemoryStream:
    """The client's end."""

    def __init__(self, transport: MemoryTransport) -> None:
        self.transport = transport

    async def send_all(self, data: bytes) -> None:
        """Send without waiting."""
        self.transport.deliver(data)
        await trio.lowlevel.checkpoint()

    async def receive_some(self, _: int) -> bytes:
        """Return the available bytes."""
        return await self.transport.read()


async def connect(
    hub: Hub,
    nursery: trio.Nursery,
    transport: MemoryTransport | None = None,
    origin: str = "memory",
) -> Talker:
    """Connect a client to the hub; return it after its greeting."""
    transport = transport or MemoryTransport()
    nursery.start_soon(partial(serve_transport, JsonLines(hub).converse, transport, origin))
    talker = Talker(transport.client)
    assert (await talker.receive())["type"] == "hello"
    return talker


async def seat_two(hub: Hub, nursery: trio.Nursery, **terms: Any) -> tuple[Talker, Talker]:
    """Seat two guests in one game of Tab; return both clients."""
    blue, red = await connect(hub, nursery), await connect(hub, nursery)
    for talker in (blue, red):
        await talker.ask(cmd="join", group=1, size=7, **terms)
    for talker in (blue, red):
        await talker.until(type="update", seq=1)
    return blue, red
