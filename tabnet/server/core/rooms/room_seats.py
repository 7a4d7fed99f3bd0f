"""Seats players and house bots in rooms, and closes rooms. Pure.

A seat in a room counts as a wait of its client until the game ends. Guests of dialects have a new
nick in each game, so the limit on the games of a nick does not hold them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from tabnet.errors import CODES, Refused
from tabnet.server.core.effects import Effect, SaveRow
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import PRIVATE_WAIT_MS, Table, WaitingPlayer, hide_invite
from tabnet.server.core.pairing.seating import GAME_BYTES, give_seat, make_guest_nick, seat_player
from tabnet.server.core.rooms.room_commands import (
    ROOM_FULL,
    ROOM_NOT_ANNOUNCED,
    CloseRoom,
    Open,
    SeatBot,
    TakeSeat,
)
from tabnet.server.core.rooms.room_play import make_seen
from tabnet.server.core.rows import RoomClosed, RoomOpened
from tabnet.server.core.sender_and_game_of_command import Request

if TYPE_CHECKING:
    from tabnet.server.core.service import Service


def take_seat(service: Service, request: Request[TakeSeat]) -> list[Effect]:
    """Seat a new guest in a room, or at the table of an invite."""
    command, origin = request.command, request.session.origin
    table = _find_or_make_table(service, request, command.open, command.invite)
    player = WaitingPlayer(
        nick=make_guest_nick(service),
        ranked=False,
        auto=True,
        wish=_require_free_seat(table, command.seat),
        origin=None if origin.is_exempt else origin.key,
        label=command.label,
        must_be_online=command.must_be_online,
        out_on_error=command.out_on_error,
    )
    token = command.token or service.draw_token()

    def give(game: Match | Table) -> list[Effect]:
        return give_seat(
            service,
            request,
            game,
            player.nick,
            token,
            lambda game, token: make_seen(service, request, game, player.nick, token=token),
        )

    bots = _reserve_bots(service, request, table, command.opponent)
    if bots:
        table.players = [player, *bots]
    else:
        service.games.lobby.seat(table, player)
    effects = seat_player(service, request, table, player.nick, give)
    if service.games.get_unfinished(table.id):
        service.quotas.waits.add(table.id, player.nick, request.session.holders)
    return [*effects, *_open_room(service, table, command.open)]


def seat_bot(service: Service, request: Request[SeatBot]) -> list[Effect]:
    """Let a house bot take a seat in a room."""
    command = request.command
    table = _find_or_make_table(service, request, command.open, None)
    if table.players:
        _require_player(service, table, command.token)
    seat = _require_free_seat(table, command.seat)
    (bot,) = _reserve_bots(service, request, table, command.bot)
    bot = evolve(bot, wish=seat, label=command.bot)
    service.games.lobby.seat(table, bot)

    def give(game: Match | Table) -> list[Effect]:
        service.games.take_seat(bot.nick, game.id)
        return [request.answer(make_seen(service, request, game, bot.nick))]

    effects = seat_player(service, request, table, bot.nick, give)
    return [*effects, *_open_room(service, table, command.open)]


def close_room(service: Service, request: Request[CloseRoom]) -> list[Effect]:
    """Close a room; the game in it ends."""
    rooms, name = service.games.rooms, request.command.room
    id = rooms.game(name)
    if id is None:
        return [request.confirm()]
    game = service.games.get_unfinished(id)
    effects: list[Effect] = []
    if game is not None:
        nick = _require_player(service, game, request.command.token)
        if isinstance(game, Table):
            service.games.lobby.remove(game)
            effects = service.end_wait(game, game.nicks)
        else:
            seat = game.nicks.index(nick)
            leave = partial(game.leave, seat, request.now)
            effects = service.change_match(game, request.now, leave)
    rooms.close(name)
    return [request.confirm(), *effects, SaveRow(RoomClosed(name))]


def _find_or_make_table(
    service: Service,
    request: Request[TakeSeat] | Request[SeatBot],
    room: Open | None,
    invite: str | None,
) -> Table:
    """Return the table of a room or an invite, a new one if the room does not exist."""
    service.quotas.require_wait(request.session.holders)
    if service.stopping:
        raise Refused("stopping", CODES["stopping"])
    if room is None:
        return service.games.lobby.find_invited(invite or "")
    id = None if room.name is None else service.games.rooms.game(room.name)
    if id is not None:
        if id not in service.games.lobby.tables:
            raise Refused(ROOM_FULL, "the game in this room has begun, or is over")
        return service.games.lobby.tables[id]
    if room.must_be_announced and not service.games.rooms.is_announced(room.name or ""):
        raise Refused(ROOM_NOT_ANNOUNCED, "the operator has not announced this room")
    invite = room.invite
    if invite is not None and room.has_secret_invite:
        invite = hide_invite(invite)
    id = room.game or service.entropy(GAME_BYTES).hex()
    return Table(id, room.terms, request.now + PRIVATE_WAIT_MS, [], invite)


def _require_free_seat(table: Table, wish: int | None) -> int:
    seat = table.lowest_free_seat if wish is None else wish
    if seat is None or seat in table.wishes:
        raise Refused(ROOM_FULL, "this seat is taken")
    return seat


def _reserve_bots(
    service: Service, request: Request[TakeSeat] | Request[SeatBot], table: Table, name: str | None
) -> list[WaitingPlayer]:
    """Return the players of a house bot for the other seats."""
    if name is None:
        return []
    holders = request.session.holders
    return service.opponents.reserve(name, table.id, table.terms, service.games, holders)


def _require_player(service: Service, game: Match | Table, token: str | None) -> str:
    """Return the player of the token; refuse anybody else."""
    if token is not None and service.accounts.knows_token(token):
        id, nick = service.accounts.find_seat_of_token(token)
        if id == game.id:
            return nick
    raise Refused("bad_token", "send the token of a player of this room", field="token")


def _open_room(service: Service, table: Table, room: Open | None) -> list[Effect]:
    """Open the room of a table that is new, if its game goes on."""
    rooms, name = service.games.rooms, None if room is None else room.name
    if name is None or rooms.game(name) or not service.games.get_unfinished(table.id):
        return []
    rooms.open(name, table.id)
    return [SaveRow(RoomOpened(name, table.id))]
