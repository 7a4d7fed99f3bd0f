"""Serves Fish clients: reads their requests one after the other, and sends the responses."""

from __future__ import annotations

import logging
from contextlib import suppress

import orjson
import trio
from attrs import frozen

from tabnet.dialects.fish_actions.actions import (
    UNCLEAR,
    FishRequest,
    FishSettings,
    look,
    read_request,
    respond,
)
from tabnet.dialects.fish_actions.json_objects import JsonObjects, read_object
from tabnet.dialects.fish_actions.queries import Response
from tabnet.dialects.fish_actions.refusals import TOURNAMENT_ERROR, format_error
from tabnet.errors import WireError
from tabnet.protocol import codec
from tabnet.protocol.frames import Bye, Failed, Reply
from tabnet.server.core.costs.client_origin import is_loopback
from tabnet.server.net.accepted_sockets import Dialect
from tabnet.server.net.hub import Hub
from tabnet.server.net.request_connection import RequestConnection
from tabnet.server.net.transport import Transport

log = logging.getLogger("tabnet")


@frozen
class FishActions(Dialect):
    """Fish in JSON actions; see `Dialect`."""

    hub: Hub
    settings: FishSettings
    is_local_only: bool = True
    """Only clients on this machine are served."""

    async def send_away(self, transport: Transport, address: str) -> None:
        """Send an error, if the socket takes it at once."""
        await _send_last(transport, self.hub.make_refusal(address).reason)

    async def converse(self, transport: Transport, address: str) -> None:
        """Serve a client until it has finished and everything is sent."""
        if self.is_local_only and not is_loopback(address):
            await _send_last(transport, "without TLS, the server serves only its own machine")
            return
        async with self.hub.register(
            RequestConnection, codec.encode, address, transport
        ) as connection:
            await self._serve_requests(connection, transport)

    async def _serve_requests(self, connection: RequestConnection, transport: Transport) -> None:
        objects = JsonObjects(self.hub.limits.line_bytes)
        try:
            while data := await transport.receive():
                for text in objects.feed(data):
                    if not connection.listens:
                        return
                    await self._execute(connection, read_request(read_object(text), self.settings))
        except OSError:
            connection.cut()
        except WireError as error:
            await self._execute(connection, FishRequest("", {}, codec.make_refusal(error)))
        except Exception:
            log.exception("failed", extra={"fields": {"session": connection.number}})
            self.hub.dismiss(connection, "server_error")

    async def _execute(self, connection: RequestConnection, request: FishRequest) -> None:
        """Execute a request, and send its response; requests of other clients come in between."""
        unclear: list[Failed] = []

        def answer(reply: Reply | Bye) -> None:
            if isinstance(reply, Failed) and reply.code in UNCLEAR:
                unclear.append(reply)
            else:
                _send(connection, respond(request, reply, *unclear))

        await self.hub.execute_and_wait(connection, request.command, answer)
        if unclear:
            await self.hub.execute_and_wait(connection, look(request.fields["user_token"]), answer)


def _send(connection: RequestConnection, response: Response) -> None:
    line = orjson.dumps(response) + b"\n"
    connection.budget.spend(len(line))
    if not connection.put(line):
        connection.cut()


async def _send_last(transport: Transport, text: str) -> None:
    """Send an error, if the socket takes it at once."""
    with suppress(OSError):
        transport.send(orjson.dumps(format_error(TOURNAMENT_ERROR, text)) + b"\n")
    await trio.lowlevel.checkpoint()
