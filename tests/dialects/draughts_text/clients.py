"""Clients of draughts in text lines, over TLS, and servers with a port for them."""

from __future__ import annotations

import ssl
from contextlib import asynccontextmanager
from functools import partial

import trio
from attrs import define

from tabnet.dialects.draughts_text.dialect import DraughtsText
from tabnet.server.net.ports import PortSettings
from tests.harness import Server, running

PORT = PortSettings("draughts", "127.0.0.1", 0, partial(DraughtsText, total_s=600), is_tls=True)
START = "0b0b0b0bb0b0b0b00b0b0b0b0000000000000000w0w0w0w00w0w0w0ww0w0w0w0"


@asynccontextmanager
async def serving(seed=None, limits=None, **options):
    """A server with the port."""
    async with running(seed, limits, more_ports=[PORT], **options) as server:
        yield server


async def connect(server: Server):
    """A client over TLS that has checked the certificate."""
    context = ssl.create_default_context()
    server.authority.configure_trust(context)
    address = server.ports["draughts"].local_address
    stream = await trio.open_ssl_over_tcp_stream(*address, ssl_context=context)
    server.streams.append(stream)
    return TextClient(stream)


@define(eq=False)
class TextClient:
    """One connection, a line at a time."""

    stream: trio.abc.Stream
    _buffer: bytes = b""

    async def send(self, data: bytes):
        """Send any bytes."""
        await self.stream.send_all(data)

    async def receive(self) -> str:
        """The next response; empty when the server has closed the connection."""
        while b"\n" not in self._buffer:
            data = await self.stream.receive_some(65536)
            if not data:
                assert not self._buffer
                return ""
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode("ascii")

    async def ask(self, request: str) -> str:
        """Send a request and return its response."""
        await self.send(request.encode() + b"\n")
        return await self.receive()

    async def code(self, request: str) -> str:
        """Send a request and return the first word of its response."""
        return (await self.ask(request)).split(" ")[0]

    async def values(self, request: str = "GET_STATE") -> dict[str, str]:
        """Send a request and return the values in its response."""
        return values_of(await self.ask(request))

    async def play(self, *routes: str):
        """Play moves, which are all accepted."""
        for route in routes:
            assert await self.ask(f"MOVE {route}") == "MOVE_OK"


def values_of(response: str) -> dict[str, str]:
    """The values of a response, by name."""
    return dict(word.split("=", 1) for word in response.split(" ")[1:])


async def create(server: Server, opponent: str = ""):
    """A client that has opened a room, and the ids."""
    client = await connect(server)
    ids = await client.values(f"CREATE {opponent}")
    return client, ids


async def room(server: Server):
    """White's and Black's clients in a room, and the ids of the room and of their colours."""
    creator, ids = await create(server)
    opponent = await connect(server)
    joined = await opponent.values(f"JOIN {ids['ROOM_ID']} {ids['ENEMY_COLOR_ID']}")
    colours = [ids["ENEMY_COLOR_ID"], ids["PLAYER_COLOR_ID"]]
    if joined["COLOR"] == "WHITE":
        return opponent, creator, (ids["ROOM_ID"], *colours)
    return creator, opponent, (ids["ROOM_ID"], *colours[::-1])


async def alternate(white, black, text):
    """Play the moves of a text, separated by commas, in turn."""
    for number, route in enumerate(text.split(",")):
        await (black if number % 2 else white).play(route.strip())
