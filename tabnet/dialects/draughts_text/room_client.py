"""A client of draughts in text lines: its seat, and the commands that its requests become."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from attrs import define

from tabnet.dialects.draughts_text import requests as r
from tabnet.dialects.draughts_text.responses import (
    SUCCESSES,
    find_seats_online,
    format_refusal,
    format_room_created,
    format_room_joined,
    format_room_state,
    keeps_empty_room,
)
from tabnet.dialects.draughts_text.rooms import RoomSeat, TextRooms
from tabnet.errors import WireError
from tabnet.protocol import codec
from tabnet.protocol.frames import Bye, Failed, Reply
from tabnet.protocol.messages import Command, Draw, Ping
from tabnet.server.core.rooms.room_commands import Look, Open, Play, Seen, Sit, TakeSeat
from tabnet.server.net.hub import Hub
from tabnet.server.net.request_connection import RequestConnection
from tabnet.server.net.server_clock import now

ID_BYTES = 16
WHITE = 0
"""The seat of a player who has asked for a house bot."""
NOT_FOUND = "there is no such room, or this colour does not belong to it or is online already"
ROOM_CLOSED = f"the room is closed; {r.ENTER_FIRST}"


class ConnectionEnds(Exception):
    """The client has sent QUIT, or the server closes the connection."""


class RequestRefused(Exception):
    """The server refuses a valid request; the text is the reason."""

    def __init__(self, reason: str, code: str | None = None) -> None:
        super().__init__(reason)
        self.code = code


@define(eq=False)
class RoomClient:
    """A connection, and its seat while it is in a room."""

    hub: Hub
    connection: RequestConnection
    rooms: TextRooms
    seat: RoomSeat | None = None
    _name: str | None = None
    """The name of the request that is being served; None for an invalid line."""

    async def serve(self, line: bytes) -> None:
        """Respond to a line; raise `ConnectionEnds` if the connection closes instead."""
        try:
            request = r.read_request(line, in_room=self.seat is not None)
        except WireError as error:
            await self.refuse(error)
            return
        self._name = request.name
        try:
            response = await self._respond(request)
        except RequestRefused as refused:
            response = format_refusal(request.name, str(refused))
        self._send(response)

    async def refuse(self, error: WireError) -> None:
        """Refuse a line that is no valid request; it counts like a command."""
        self._name = None
        try:
            await self._ask(codec.make_refusal(error))
        except RequestRefused as refused:
            self._send(format_refusal(None, str(refused)))

    def leave(self) -> None:
        """Leave the room, if the client is in one."""
        if self.seat is not None:
            self.rooms.leave(self.seat, now())
            self.hub.leave_game(self.connection, self.seat.room)
            self.seat = None

    async def _respond(self, request: r.TextRequest) -> str:
        command: Command
        if request.name == r.QUIT:
            raise ConnectionEnds
        if self.seat is None:
            enter = self._create if request.name == r.CREATE else self._join
            return await enter(*request.arguments)
        if request.name == r.GET_STATE:
            return await self._show(self.seat)
        if request.name == r.LEAVE:
            self.leave()
            command = Ping()  # its reply comes when the end of the room is on disk
        elif request.name == r.MOVE:
            command = Play(token=self.seat.token, move={"route": list(request.arguments)})
        else:
            command = Draw(token=self.seat.token, offer=request.name == r.REQUEST_A_DRAW)
        await self._ask(command)
        return SUCCESSES[request.name]

    async def _create(self, opponent: str | None = None) -> str:
        """Open a room and enter it."""
        entropy = self.hub.service.entropy
        room, own, enemy = (str(UUID(bytes=entropy(ID_BYTES), version=4)) for _ in range(3))
        number = WHITE if opponent else entropy(1)[0] % 2
        invite = None if opponent else f"{room}:{enemy}"
        opening = Open(terms=self.rooms.terms, game=room, invite=invite, has_secret_invite=True)
        await self._ask(
            TakeSeat(open=opening, seat=number, token=own, must_be_online=True, opponent=opponent)
        )
        self._enter(room, number, own)
        return format_room_created(room, own, enemy, number if opponent else None)

    async def _join(self, room_id: str, colour_id: str) -> str:
        """Take the seat of a colour, or return to it."""
        room, token = room_id.lower(), colour_id.lower()
        take = TakeSeat(invite=f"{room}:{token}", token=token, must_be_online=True)
        try:
            number = cast(int, (await self._see(take)).seat)
        except RequestRefused as refused:
            reason = NOT_FOUND if refused.code == "unknown_invite" else str(refused)
            return format_room_joined(await self._return(room, token, reason))
        self._enter(room, number, token)
        return format_room_joined(number)

    async def _return(self, room: str, token: str, reason: str) -> int:
        """Return to a seat that its player has left; return its number, or refuse it."""
        try:
            seen = await self._see(Look(game=room, token=token))
            number, online = cast(int, seen.seat), find_seats_online(seen, self.rooms.occupied)
            waits = self.rooms.waits_after_restart(room, seen.now)
            if number not in online and (online or keeps_empty_room(seen.game, waits=waits)):
                self._enter(room, number, token)  # from here on, no other client can return to it
                await self._ask(Sit(game=room, token=token))
                return number
        except RequestRefused:
            self.leave()
        raise RequestRefused(reason)

    async def _show(self, seat: RoomSeat) -> str:
        """Show the room; leave it if the server has closed it."""
        try:
            seen = await self._see(Look(game=seat.room))
        except RequestRefused as refused:
            if refused.code != "unknown_game":
                raise
            self.leave()
            raise RequestRefused(ROOM_CLOSED) from None
        return format_room_state(seen.game, find_seats_online(seen, self.rooms.occupied), seen.now)

    def _enter(self, room: str, number: int, token: str) -> None:
        self.seat = RoomSeat(room, number, token)
        self.rooms.enter(self.seat)

    async def _see(self, command: Command) -> Seen:
        """Execute a command that shows a game."""
        return cast(Seen, await self._ask(command))

    async def _ask(self, command: Command | Failed) -> Reply:
        """Execute a command; return its reply, or raise `RequestRefused` or `ConnectionEnds`."""
        connection, replies = self.connection, list[Reply | Bye]()

        def receive(reply: Reply | Bye) -> None:
            replies.append(reply)
            if isinstance(reply, Failed) and not connection.listens:  # nothing can be sent later
                self._send(format_refusal(self._name, reply.error))

        if connection.listens:
            await self.hub.execute_and_wait(connection, command, receive)
        if not connection.listens:
            raise ConnectionEnds
        reply = cast(Reply, replies[0])
        if isinstance(reply, Failed):
            hint = f" ({reply.hint})" if reply.hint and self.seat is None else ""
            raise RequestRefused(reply.error + hint, reply.code)
        return reply

    def _send(self, response: str) -> None:
        data = response.encode("ascii") + b"\n"
        self.connection.budget.spend(len(data))
        if not self.connection.put(data):
            self.hub.outbox.cut_slow(self.connection)
        self.hub.outbox.touch(self.connection)
