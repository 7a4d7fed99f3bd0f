"""Serves draughts in text lines: each connection is in one room at most."""

from __future__ import annotations

import logging

import trio
from attrs import evolve, field, frozen

from tabnet.dialects.draughts_text.requests import TextLines
from tabnet.dialects.draughts_text.room_client import ConnectionEnds, RoomClient
from tabnet.dialects.draughts_text.rooms import TextRooms
from tabnet.errors import CODES, WireError
from tabnet.games import GAMES
from tabnet.protocol import codec
from tabnet.protocol.fields import Clock
from tabnet.protocol.line_splitter import is_web_request
from tabnet.server.core.costs.client_origin import is_loopback
from tabnet.server.core.matches.terms import Terms
from tabnet.server.net.accepted_sockets import Dialect
from tabnet.server.net.hub import Hub
from tabnet.server.net.request_connection import RequestConnection
from tabnet.server.net.server_clock import now
from tabnet.server.net.transport import Transport
from tabnet.server.storage.restore_service import COME_BACK_MS

log = logging.getLogger("tabnet")


@frozen
class DraughtsText(Dialect):
    """Draughts in text lines; see `Dialect`."""

    hub: Hub
    total_s: float
    """The time of each player for the whole game."""
    is_local_only: bool = False
    """Only clients on this machine are served."""
    rooms: TextRooms = field()

    @rooms.default
    def _open_rooms(self) -> TextRooms:
        options = GAMES["draughts"].make_options({})
        terms = Terms("draughts", options, 2, Clock(total=self.total_s), group=None)
        return TextRooms(terms, restart_ends=now() + COME_BACK_MS)

    def for_own_machine(self) -> DraughtsText:
        """Return the dialect with the same rooms for clients on this machine alone."""
        return evolve(self, is_local_only=True)

    async def send_away(self, transport: Transport, address: str) -> None:  # noqa: ARG002 - see Dialect
        """Send nothing, because the server only responds to requests."""
        await trio.lowlevel.checkpoint()

    async def converse(self, transport: Transport, address: str) -> None:
        """Serve a client until it has finished and everything is sent."""
        if self.is_local_only and not is_loopback(address):
            return
        hub = self.hub
        async with hub.register(RequestConnection, codec.encode, address, transport) as connection:
            client = RoomClient(hub, connection, self.rooms)
            try:
                await _serve_lines(client, transport)
            except ConnectionEnds:
                pass
            except OSError:
                connection.cut()
            except Exception:
                log.exception("failed", extra={"fields": {"session": connection.number}})
                hub.dismiss(connection, "server_error")
            finally:
                client.leave()


async def _serve_lines(client: RoomClient, transport: Transport) -> None:
    """Respond to every line, until the client or the hub ends the connection."""
    lines, is_first = TextLines(), True
    try:
        while data := await transport.receive():
            for line in lines.feed(data):
                if is_first and is_web_request(line):
                    raise WireError("web_request", CODES["web_request"])
                is_first = False
                await client.serve(line)
    except WireError as error:
        await client.refuse(error)
