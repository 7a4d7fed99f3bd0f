"""Requests as dialogs: the commands that a request needs, and the response that follows from them.

A dialog is a generator. It yields commands, is sent their replies, and returns the response. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial
from typing import TypeAlias

from attrs import Factory, frozen

from tabnet.dialects.plakoto_rest.board import (
    COLOURS,
    Boards,
    Stacks,
    cell_at,
    cells,
    cells_after_move,
)
from tabnet.dialects.plakoto_rest.requests import Fields, RoomPath, parse_path
from tabnet.dialects.plakoto_rest.responses import (
    CANNOT_MOVE,
    NO_PLAYER,
    NO_TOKEN,
    NOT_PLAYING,
    NOT_YOUR_TURN,
    not_found,
    refusal,
    refused,
    rows_response,
)
from tabnet.dialects.plakoto_rest.rows import Game, ToUtc, player_row, status_row
from tabnet.dialects.web.http_request import HttpRequest
from tabnet.dialects.web.responses import Response
from tabnet.errors import Refused, TabnetError
from tabnet.games.plakoto.board import PlakotoMove
from tabnet.games.plakoto.game import PLAKOTO
from tabnet.protocol.fields import Clock
from tabnet.protocol.frames import Failed, Reply
from tabnet.protocol.messages import Command, Join
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import Terms, terms_of
from tabnet.server.core.rooms.room_commands import (
    CloseRoom,
    Look,
    Open,
    Play,
    SeatBot,
    Seen,
    TakeSeat,
)

Dialog: TypeAlias = Generator[Command, Reply, Response]


CLOCK = Clock(move=300)
"""The usual clock."""


def terms_with(clock: Clock) -> Terms:
    """Return the terms of a match with that clock."""
    return terms_of(Join(kind=PLAKOTO.kind, clock=clock))


@frozen
class RestRooms:
    """The rooms of a server, as requests see them."""

    terms: Terms
    """The terms of every match."""
    find_game: Callable[[str], str | None]
    """Returns the id of the game of a room, by the room's name in the server."""
    to_utc: ToUtc
    boards: Boards = Factory(Boards)


@frozen
class Visit:
    """One request to the resource of a path."""

    rooms: RestRooms
    path: RoomPath
    request: HttpRequest

    @property
    def room(self) -> str:
        """The name of the room in the server, and the invite for native clients."""
        return f"plakoto:{self.path.room}"

    @property
    def opening(self) -> Open:
        """The room to open, unless there is one of that name."""
        return Open(name=self.room, terms=self.rooms.terms, invite=self.room)

    def find_game(self) -> str | None:
        """Return the id of the room's game, or None."""
        return self.rooms.find_game(self.room)

    def execute(self, command: Command, token: str | None) -> Generator[Command, Reply, Reply]:
        """Execute a command; raise its refusal in the words of the dialect."""
        reply = yield command
        if isinstance(reply, Failed):
            raise refusal(reply, COLOURS[self.path.seat], token)
        return reply

    def see(self, command: Command, token: str | None = None) -> Generator[Command, Reply, Seen]:
        """Execute a command whose reply shows the game."""
        reply = yield from self.execute(command, token)
        if not isinstance(reply, Seen):
            raise TypeError(f"{reply} does not show a game")
        return reply

    def look(self) -> Generator[Command, Reply, Game]:
        """Return the room's game; None if there is none."""
        game = self.find_game()
        if game is None:
            return None
        try:
            return (yield from self.see(Look(game=game))).game
        except Refused as error:
            if error.code != "unknown_game":
                raise
            return None  # the room has just been closed

    def all_cells(self, game: Game) -> Response:
        """Return the board of a game."""
        return rows_response(cells(self.rooms.boards.stacks(game)))


Handle: TypeAlias = Callable[[Visit], Dialog]


def handlers_of(text: str) -> dict[str, Callable[[HttpRequest, RestRooms], Dialog]]:
    """Return the function for each method that a path takes; none if there is no such path."""
    path = parse_path(text)
    if path is None:
        return {}
    return {
        method: partial(_respond, handle, path)
        for method, handle in HANDLERS[path.resource].items()
    }


def _respond(handle: Handle, path: RoomPath, request: HttpRequest, rooms: RestRooms) -> Dialog:
    """Return the response to a request; a refusal changes nothing."""
    try:
        return (yield from handle(Visit(rooms, path, request)))
    except TabnetError as error:
        return refused(error)


def _show_board(visit: Visit) -> Dialog:
    return visit.all_cells((yield from visit.look()))


def _show_status(visit: Visit) -> Dialog:
    return rows_response([status_row((yield from visit.look()), visit.rooms.to_utc)])


def _show_players(visit: Visit) -> Dialog:
    game, to_utc = (yield from visit.look()), visit.rooms.to_utc
    return rows_response([player_row(game, seat, to_utc) for seat in range(len(COLOURS))])


def _show_player(visit: Visit) -> Dialog:
    game = yield from visit.look()
    return rows_response([player_row(game, visit.path.seat, visit.rooms.to_utc)])


def _show_piece(visit: Visit) -> Dialog:
    path, game = visit.path, (yield from visit.look())
    cell = cell_at(visit.rooms.boards.stacks(game), path.x, path.y)
    return not_found(visit.request.path) if cell is None else rows_response([cell])


def _reset(visit: Visit) -> Dialog:
    """Close the room; the next player who takes a seat opens a new one."""
    token = Fields.of(visit.request).token
    if visit.find_game() is not None:
        yield from visit.execute(CloseRoom(room=visit.room, token=token), token)
    return visit.all_cells(None)


def _sit_down(visit: Visit) -> Dialog:
    """Seat a player, or a house bot."""
    fields, seat = Fields.of(visit.request), visit.path.seat
    name, is_bot = fields.username(), fields.is_bot()
    fields.require_colour(COLOURS[seat])
    command: Command
    if is_bot:
        command = SeatBot(open=visit.opening, seat=seat, bot=name, token=fields.token)
    else:
        command = TakeSeat(open=visit.opening, seat=seat, label=name)
    seen = yield from visit.see(command, fields.token)
    row = player_row(seen.game, seat, visit.rooms.to_utc)
    return rows_response([row | {"token": None if is_bot else seen.token}])


def _move(visit: Visit) -> Dialog:
    """Move the top checker of a point."""
    path, fields, game = visit.path, Fields.of(visit.request), visit.find_game()
    if fields.token is None:
        raise Refused("bad_token", NO_TOKEN)
    if game is None:
        raise Refused("bad_token", NO_PLAYER)
    seen = yield from visit.see(Look(game=game, token=fields.token), fields.token)
    stacks = visit.rooms.boards.stacks(seen.game)
    if cell_at(stacks, path.x, path.y) is None:
        return not_found(visit.request.path)
    _require_movable(seen, stacks, path)
    to = fields.destination()
    move = {"from": path.x, "to": to}
    played = yield from visit.see(Play(game=game, token=fields.token, move=move), fields.token)
    return rows_response(cells_after_move(visit.rooms.boards.stacks(played.game), to))


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
