"""One request to a room: finds the game of the room, and executes commands. Pure.

The methods that execute commands are generators: they yield commands, and are sent their replies.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from attrs import Factory, frozen

from tabnet.dialects.plakoto_rest.board import COLOURS, Boards, Cell, cell_at, cells
from tabnet.dialects.plakoto_rest.requests import RoomPath
from tabnet.dialects.plakoto_rest.responses import refusal, rows_response
from tabnet.dialects.plakoto_rest.rows import Game, ToUtc
from tabnet.dialects.web.http_request import HttpRequest
from tabnet.dialects.web.responses import Response
from tabnet.errors import Refused
from tabnet.games.plakoto.game import PLAKOTO
from tabnet.protocol.fields import Clock
from tabnet.protocol.frames import Failed, Reply
from tabnet.protocol.messages import Command, Join
from tabnet.server.core.matches.terms import Terms, read_terms
from tabnet.server.core.rooms.room_commands import CloseRoom, Look, Open, Seen

CLOCK = Clock(move=300)
"""The usual clock."""


def terms_with(clock: Clock) -> Terms:
    """Return the terms of a match with that clock."""
    return read_terms(Join(kind=PLAKOTO.kind, clock=clock))


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
class RoomRequest:
    """A request to a resource of a room."""

    rooms: RestRooms
    path: RoomPath
    http: HttpRequest

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

    def show(self, command: Command, token: str | None = None) -> Generator[Command, Reply, Seen]:
        """Execute a command whose reply shows the game."""
        reply = yield from self.execute(command, token)
        if not isinstance(reply, Seen):
            raise TypeError(f"{reply} does not show a game")
        return reply

    def current_game(self) -> Generator[Command, Reply, Game]:
        """Return the room's game; None if there is none."""
        game = self.find_game()
        if game is None:
            return None
        try:
            return (yield from self.show(Look(game=game))).game
        except Refused as error:
            if error.code != "unknown_game":
                raise
            return None  # the room has just been closed

    def current_cell(self) -> Generator[Command, Reply, Cell | None]:
        """Return the cell of the path; None if the board has no such cell now."""
        game = yield from self.current_game()
        return cell_at(self.rooms.boards.stacks(game), self.path.x, self.path.y)

    def close_ended_wait(self) -> Generator[Command, Reply, None]:
        """Close the room if the wait in it has ended: its seats are free at once."""
        if self.find_game() is not None and (yield from self.current_game()) is None:
            yield from self.execute(CloseRoom(room=self.room), None)

    def all_cells(self, game: Game) -> Response:
        """Return the response with the board of a game."""
        return rows_response(cells(self.rooms.boards.stacks(game)))
