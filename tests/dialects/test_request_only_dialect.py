"""A dialect made up for this test: it only responds, and its connections belong to no player.

A request is a line `TOKEN COMMAND`; the response is `ok` or the code of the refusal.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from attrs import frozen

from tabnet.dialects.json_lines import JsonLines
from tabnet.protocol import codec
from tabnet.protocol.frames import Bye, Failed, Frame, Reply
from tabnet.protocol.line_splitter import Lines
from tabnet.server.net.accepted_sockets import Dialect
from tabnet.server.net.hub import Hub
from tabnet.server.net.ports import PortSettings, open_ports
from tabnet.server.net.request_connection import RequestConnection
from tabnet.server.net.run_server import serve
from tabnet.server.net.transport import Transport
from tests.harness import Talker


def ignore(frame: Frame) -> None:
    """Encode nothing: only responses are sent."""


@frozen
class Words(Dialect):
    """The dialect; see `Dialect`."""

    hub: Hub

    async def send_away(self, transport: Transport, address: str) -> None:  # noqa: ARG002
        await trio.lowlevel.checkpoint()

    async def converse(self, transport: Transport, address: str) -> None:
        async with self.hub.register(RequestConnection, ignore, address, transport) as connection:
            lines = Lines()
            while data := await transport.receive():
                for line in lines.feed(data):
                    token, _, cmd = line.decode().partition(" ")
                    command = codec.decode(
                        b'{"cmd":"%b","token":"%b"}' % (cmd.encode(), token.encode())
                    )
                    await self.hub.execute_alone(
                        connection, command, partial(self.respond, connection)
                    )

    def respond(self, connection: RequestConnection, frame: Reply | Bye) -> None:
        connection.put((frame.code if isinstance(frame, Failed | Bye) else "ok").encode() + b"\n")


@pytest.fixture
async def server(nursery):
    """A native port and one of the dialect."""
    hub, stop = Hub(), trio.Event()
    native = PortSettings("tcp", "127.0.0.1", 0, JsonLines)
    ports = await open_ports([native, PortSettings("words", "127.0.0.1", 0, Words)])
    nursery.start_soon(partial(serve, hub, list(ports.values()), lambda: None, stop))
    yield ports
    hub.skip_grace()
    stop.set()


@asynccontextmanager
async def native(server):
    """A client of the native port."""
    async with await trio.open_tcp_stream(*server["tcp"].local_address) as stream:
        talker = Talker(stream)
        assert (await talker.receive())["type"] == "hello"
        yield talker


async def test_one_connection_plays_both_seats_by_their_tokens(server):
    async with native(server) as spectator, native(server) as blue, native(server) as red:
        seats = [await talker.ask(cmd="join", group=1, size=7) for talker in (blue, red)]
        game = seats[0]["game"]
        online = (await spectator.ask(cmd="state", game=game))["online"]
        async with await trio.open_tcp_stream(*server["words"].local_address) as stream:
            words = Talker(stream)
            for token, cmd, response in [
                (seats[1]["token"], "roll", b"not_your_turn"),
                (seats[0]["token"], "roll", b"ok"),
                ("nobody", "roll", b"bad_token"),
                (seats[1]["token"], "leave", b"ok"),
                (seats[0]["token"], "roll", b"game_over"),
            ]:
                await words.send_line(f"{token} {cmd}".encode())
                assert await words.receive_line() == response
        state = await spectator.ask(cmd="state", game=game)
        assert (state["status"], state["update"]["seq"]) == ("ended", 3)
        assert online == dict.fromkeys((seat["nick"] for seat in seats), True)
