"""The handler of each request: the commands that it needs, and the response that follows.

A handler is a generator. It yields commands, is sent their replies, and returns the response. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial
from typing import TypeAlias

from tabnet.dialects.plakoto_rest.board import COLOURS, Stacks, cells_after_move
from tabnet.dialects.plakoto_rest.requests import Fields, RoomPath, parse_path
from tabnet.dialects.plakoto_rest.responses import (
    CANNOT_MOVE,
    NO_PLAYER,
    NO_TOKEN,
    NOT_PLAYING,
    NOT_YOUR_TURN,
    not_found,
    refused,
    rows_response,
)
from tabnet.dialects.plakoto_rest.room_request import RestRooms, RoomRequest
from tabnet.dialects.plakoto_rest.rows import player_row, status_row
from tabnet.dialects.web.http_request import HttpRequest
from tabnet.dialects.web.responses import Response
from tabnet.errors import Refused, TabnetError
from tabnet.games.plakoto.board import CHECKERS, PlakotoMove
from tabnet.protocol.frames import Reply
from tabnet.protocol.messages import Command
from tabnet.server.core.matches.match import Match
from tabnet.server.core.rooms.room_commands import (
    CloseRoom,
    Look,
    Play,
    SeatBot,
    Seen,
    TakeSeat,
)

Handler: TypeAlias = Generator[Command, Reply, Response]
Handle: TypeAlias = Callable[[RoomRequest], Handler]


def find_handlers(text: str) -> dict[str, Callable[[HttpRequest, RestRooms], Handler]]:
    """Return the function for each method that a path takes; none if there is no such path."""
    path = parse_path(text)
    if path is None:
        return {}
    return {
        method: partial(_respond, handle, path)
        for method, handle in HANDLERS[path.resource].items()
    }


def _respond(handle: Handle, path: RoomPath, request: HttpRequest, rooms: RestRooms) -> Handler:
    """Return the response to a request; a refusal changes nothing."""
    try:
        return (yield from handle(RoomRequest(rooms, path, request)))
    except TabnetError as error:
        return refused(error)


def _show_board(ask: RoomRequest) -> Handler:
    return ask.all_cells((yield from ask.current_game()))


def _show_status(ask: RoomRequest) -> Handler:
    return rows_response([status_row((yield from ask.current_game()), ask.rooms.to_utc)])


def _show_players(ask: RoomRequest) -> Handler:
    game, to_utc = (yield from ask.current_game()), ask.rooms.to_utc
    return rows_response([player_row(game, seat, to_utc) for seat in range(len(COLOURS))])


def _show_player(ask: RoomRequest) -> Handler:
    game = yield from ask.current_game()
    return rows_response([player_row(game, ask.path.seat, ask.rooms.to_utc)])


def _show_piece(ask: RoomRequest) -> Handler:
    cell = yield from ask.current_cell()
    return not_found(ask.http.path) if cell is None else rows_response([cell])


def _reset(ask: RoomRequest) -> Handler:
    """Close the room; the next player who takes a seat opens a new one."""
    token = Fields.of(ask.http).token
    if ask.find_game() is not None:
        yield from ask.execute(CloseRoom(room=ask.room, token=token), token)
    return ask.all_cells(None)


def _sit_down(ask: RoomRequest) -> Handler:
    """Seat a player, or a house bot."""
    fields, seat = Fields.of(ask.http), ask.path.seat
    name, is_bot = fields.username(), fields.is_bot()
    fields.require_colour(COLOURS[seat])
    yield from ask.close_ended_wait()
    command: Command
    if is_bot:
        command = SeatBot(open=ask.opening, seat=seat, bot=name, token=fields.token)
    else:
        command = TakeSeat(open=ask.opening, seat=seat, label=name)
    seen = yield from ask.show(command, fields.token)
    row = player_row(seen.game, seat, ask.rooms.to_utc)
    last_action = row.pop("last_action")
    return rows_response([row | {"token": seen.token, "last_action": last_action}])


def _move(ask: RoomRequest) -> Handler:
    """Move the top checker of a point."""
    path, fields, game = ask.path, Fields.of(ask.http), ask.find_game()
    if path.y > CHECKERS and (yield from ask.current_cell()) is None:
        return not_found(ask.http.path)
    if fields.token is None:
        raise Refused("bad_token", NO_TOKEN)
    if game is None:
        raise Refused("bad_token", NO_PLAYER)
    seen = yield from ask.show(Look(game=game, token=fields.token), fields.token)
    _require_movable(seen, ask.rooms.boards.stacks(seen.game), path)
    to = fields.destination()
    move = {"from": path.x, "to": to}
    played = yield from ask.show(Play(game=game, token=fields.token, move=move), fields.token)
    return rows_response(cells_after_move(ask.rooms.boards.stacks(played.game), to))


def _require_movable(seen: Seen, stacks: Stacks, path: RoomPath) -> None:
    """Refuse the move of a checker that cannot move at all."""
    match = seen.game
    if not isinstance(match, Match) or match.result:
        raise Refused("game_over", NOT_PLAYING)
    if match.turn != seen.seat:
        raise Refused("not_your_turn", NOT_YOUR_TURN)
    is_on_top = path.y == len(stacks[path.x])
    starts = [action.start for action in match.state.actions() if isinstance(action, PlakotoMove)]
    if not is_on_top or path.x not in starts:
        raise Refused("no_piece", CANNOT_MOVE)


HANDLERS: Mapping[str, Mapping[str, Handle]] = {
    "board": {"GET": _show_board, "POST": _reset},
    "piece": {"GET": _show_piece, "PUT": _move},
    "players": {"GET": _show_players},
    "player": {"GET": _show_player, "PUT": _sit_down},
    "status": {"GET": _show_status},
}
"""The function for each method of each resource."""
