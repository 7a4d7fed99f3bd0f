"""The protocol's own dialect: one JSON object a line, and the server sends the first line."""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import partial

import trio
from attrs import frozen

from tabnet.errors import WireError
from tabnet.games import GAMES
from tabnet.protocol import codec
from tabnet.protocol.frames import Hello
from tabnet.protocol.line_splitter import Lines, is_web_request
from tabnet.server.core.service import Service
from tabnet.server.net.accepted_sockets import Dialect
from tabnet.server.net.connection import Connection, Encoder
from tabnet.server.net.hub import Hub
from tabnet.server.net.transport import Transport

log = logging.getLogger("tabnet")


def build_hello(service: Service) -> Hello:
    """Return the first frame of a connection."""
    return Hello(games=tuple(GAMES), opponents=service.opponents.names or None)


@frozen
class JsonLines(Dialect):
    """Lines of JSON; see `Dialect`."""

    hub: Hub

    async def send_away(self, transport: Transport, address: str) -> None:
        """Send a `bye`, if the socket takes it at once."""
        with suppress(OSError):
            transport.send(codec.encode(self.hub.make_refusal(address)))
        await trio.lowlevel.checkpoint()

    @property
    def encoder(self) -> Encoder:
        """The function that writes a frame as a line."""
        return codec.encode

    async def converse(self, transport: Transport, address: str) -> None:
        """Serve a client until it has finished and everything is sent."""
        hub, greeting = self.hub, build_hello(self.hub.service)
        async with hub.register(
            Connection, self.encoder, address, transport, greeting
        ) as connection:
            await _execute_lines(hub, connection, transport)


async def _execute_lines(hub: Hub, connection: Connection, transport: Transport) -> None:
    """Execute the command on every line, until the client or the hub ends the connection."""
    lines = Lines(hub.limits.line_bytes)
    take = partial(_execute_at_once, hub, connection, lines)
    try:
        while data := await transport.receive(take):
            for number, line in enumerate(lines.feed(data)):
                if number:
                    await trio.lowlevel.checkpoint()  # for the commands of other clients
                if not connection.listens:
                    return
                if not connection.has_sent_line and is_web_request(line):
                    hub.dismiss(connection, "web_request")
                    return
                if line.strip():
                    await hub.execute(connection, codec.decode(line))
    except OSError:
        connection.cut()
    except WireError as error:
        hub.refuse(connection, codec.make_refusal(error, example=codec.EXAMPLE))
    except Exception:
        log.exception("failed", extra={"fields": {"session": connection.number}})
        hub.dismiss(connection, "server_error")


def _execute_at_once(hub: Hub, connection: Connection, lines: Lines, data: bytes) -> bool:
    """Execute the command of one whole line, if it is not the first one and has not to wait."""
    line = lines.get_only_line(data)
    if not line or line.isspace() or not (connection.has_sent_line and connection.listens):
        return False
    return hub.execute_at_once(connection, codec.decode(line))
