"""The handler of each command that only dialects send. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tabnet.protocol.messages import Command
from tabnet.server.core.effects import Effect
from tabnet.server.core.rooms import room_commands as c
from tabnet.server.core.rooms import room_play, room_seats
from tabnet.server.core.sender_and_game_of_command import Request

if TYPE_CHECKING:
    from tabnet.server.core.service import Service

ROOM_HANDLERS: dict[type[Command], Callable[[Service, Request[Any]], list[Effect]]] = {
    c.TakeSeat: room_seats.take_seat,
    c.SeatBot: room_seats.seat_bot,
    c.CloseRoom: room_seats.close_room,
    c.Look: room_play.look,
    c.Sit: room_play.sit,
    c.Play: room_play.play,
    c.Forfeit: room_play.forfeit,
}
