"""The protocol's own way of talking: lines of JSON, one connection at a time, with the hub."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager, suppress

import trio
from attrs import frozen

from tabnet.errors import CODES, WireError
from tabnet.protocol import codec
from tabnet.protocol.frames import Bye
from tabnet.protocol.lines import Lines
from tabnet.server.core.limits import COME_BACK_S, origin_of
from tabnet.server.net.connection import Connection
from tabnet.server.net.hub import Hub
from tabnet.server.net.transport import Transport

log = logging.getLogger("tabnet")


@frozen
class JsonLines:
    """Lines of JSON; see `Dialect`."""

    hub: Hub

    def admitting(self, address: str) -> AbstractContextManager[bool]:
        """Count a connection, if there is room for it."""
        return self.hub.crowd.admitting(origin_of(address))

    async def send_away(self, transport: Transport, address: str) -> None:  # noqa: ARG002 - whoever it is
        """Say that there is no room, if that can be said at once."""
        code = "too_many_connections"
        with suppress(OSError):
            transport.send(
                codec.encode(Bye(reason=CODES[code], code=code, retry_after=COME_BACK_S))
            )
        await trio.lowlevel.checkpoint()

    async def run(self) -> None:
        """Nothing runs beside the connections."""
        await trio.lowlevel.checkpoint()

    async def converse(self, transport: Transport, address: str) -> None:
        """Read until the client has finished; the connection ends when everything is sent."""
        async with trio.open_nursery() as nursery:
            connection = self.hub.connect(address, transport, nursery)
            try:
                await _read(self.hub, connection, transport)
                self.hub.finish(connection)
                await trio.sleep_forever()
            finally:
                self.hub.disconnect(connection)


async def _read(hub: Hub, connection: Connection, transport: Transport) -> None:
    """Hand every line to the hub, until the client or the hub has had enough."""
    lines = Lines(hub.limits.line_bytes)
    try:
        while data := await transport.receive():
            for number, line in enumerate(lines.feed(data)):
                if number:
                    await trio.lowlevel.checkpoint()  # others come in between many lines at once
                if not connection.listens:
                    return
                if line.strip():
                    await hub.receive(connection, line)
    except OSError:
        connection.cut()
    except WireError as error:
        hub.refuse(connection, error)
    except Exception:
        log.exception("failed", extra={"fields": {"session": connection.number}})
        hub.dismiss(connection, "server_error")
