"""Fish actions -> commands of the service, and its replies -> responses. Pure."""

from __future__ import annotations

from typing import cast

from attrs import frozen

from tabnet.dialects.fish_actions.queries import (
    QUERIES,
    Response,
    format_state,
    is_game_over,
    read_place,
    require_tile,
)
from tabnet.dialects.fish_actions.refusals import (
    ERROR_TYPES,
    INVALID_ACTION,
    INVALID_COORDINATE,
    TOURNAMENT_ERROR,
    ActionError,
    Fields,
    format_error,
    require_begun,
)
from tabnet.errors import quote
from tabnet.games.fish import FISH, FishState
from tabnet.games.fish.board import COLOURS
from tabnet.protocol.frames import Bye, Failed, Reply
from tabnet.protocol.messages import Command
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.rooms.room_commands import (
    ROOM_FULL,
    ROOM_NOT_ANNOUNCED,
    Look,
    Open,
    Play,
    Seen,
    TakeSeat,
)

JOIN = "join_tournament"
PLACE, MOVE = "place_penguin", "move_penguin"
MOVE_FIELDS = {
    PLACE: {"place": {"row": "row", "col": "col"}},
    MOVE: {
        "from": {"row": "start_row", "col": "start_col"},
        "to": {"row": "end_row", "col": "end_col"},
    },
}
"""The fields of the two actions, by their names in a `notify`."""
ACTIONS = (JOIN, *MOVE_FIELDS, *QUERIES)

ROOM = "fish:"
"""The beginning of the name of each room, and of its invite, before the id of the tournament."""
BOT = "bot:"
"""The beginning of an id that opens a game with a house bot."""
MAX_ID = 64
ID_FORM = f"1 to {MAX_ID} printable characters"


@frozen
class FishSettings:
    """The operator's settings for all games."""

    terms: Terms
    is_invited_only: bool = False
    """Only ids that the operator has opened are known."""


@frozen
class FishRequest:
    """A request of a client: its fields, and the command that it stands for."""

    action: str
    """Empty if the client names no known one."""
    fields: Fields
    command: Command | Failed


def read_request(fields: Fields, settings: FishSettings) -> FishRequest:
    """Return the request in a JSON object; its command is a refusal if it is malformed."""
    action = fields.get("action")
    if type(action) is not str or action not in ACTIONS:
        problem = f"unknown action {quote(action)}" if "action" in fields else "action is missing"
        hint = f"one of: {' '.join(ACTIONS)}"
        failed = Failed(cmd=None, error=problem, code="unknown_command", hint=hint)
        return FishRequest("", fields, failed)
    if action == JOIN:
        return FishRequest(action, fields, _read_join(fields, settings))
    token = fields.get("user_token")
    if type(token) is not str:
        text = "user_token is missing or not a string"
        return FishRequest(action, fields, Failed(cmd=None, error=text, code="bad_token"))
    if action in QUERIES:
        return FishRequest(action, fields, look(token))
    move = {
        part: {name: fields[field] for name, field in names.items() if field in fields}
        for part, names in MOVE_FIELDS[action].items()
    }
    return FishRequest(action, fields, Play(token=token, move=move, kind=FISH.kind))


def look(token: str) -> Look:
    """Return the command that shows the game of a token."""
    return Look(token=token, kind=FISH.kind)


def _read_join(fields: Fields, settings: FishSettings) -> TakeSeat | Failed:
    id = fields.get("tournament_id")
    if type(id) is int:
        id = str(id)
    if type(id) is not str or not is_tournament_id(id):
        text = f"tournament_id is missing, or is neither an integer nor {ID_FORM}"
        return Failed(cmd=None, error=text, code="bad_value")
    if id.startswith(BOT) and not settings.is_invited_only:
        bot, room = id.removeprefix(BOT), Open(terms=settings.terms)
        return TakeSeat(open=room, opponent=bot, out_on_error=True)
    room = Open(
        name=ROOM + id,
        terms=settings.terms,
        invite=ROOM + id,
        must_be_announced=settings.is_invited_only,
    )
    return TakeSeat(open=room, out_on_error=True)


def is_tournament_id(text: str) -> bool:
    """Return True if a text can be the id of a tournament."""
    return 0 < len(text) <= MAX_ID and text.isprintable()


UNCLEAR = ("waiting", "no_piece")
"""The codes of refusals whose response depends on the game."""


def respond(request: FishRequest, reply: Reply | Bye, unclear: Failed | None = None) -> Response:
    """Return the response to a request; after an unclear refusal, the reply shows the game."""
    if isinstance(reply, Bye):
        return format_error(TOURNAMENT_ERROR, reply.reason)
    try:
        if isinstance(reply, Failed):
            return _format_refusal(request, reply)
        seen = cast(Seen, reply)
        if unclear is None:
            return _format_result(request, seen)
        match = require_begun(seen.game)
        if unclear.code == "no_piece":
            require_tile(match, read_place(request.fields, "start_row", "start_col"))
        return _format_refusal(request, unclear)
    except ActionError as error:
        return format_error(error.code, error.text, error.hint)


def _format_result(request: FishRequest, seen: Seen) -> Response:
    action, game, seat = request.action, seen.game, cast(int, seen.seat)
    if action == JOIN:
        return {"user_token": seen.token, "color": COLOURS[seat]}
    if action == is_game_over.__name__ and isinstance(game, Table):
        return {"is_game_over": False}
    match = require_begun(game)
    if action in MOVE_FIELDS:
        state = match.moments[seen.seq - 1].state
        return {"result_state": format_state(cast(FishState, state), match.out)}
    return QUERIES[action](match, seat, request.fields)


def _format_refusal(request: FishRequest, failed: Failed) -> Response:
    code, action = failed.code, request.action
    if code == "no_seat":
        raise ActionError(INVALID_ACTION, "you are out of this game")
    if code == ROOM_FULL:
        raise ActionError(TOURNAMENT_ERROR, "the game of this tournament has begun, or is over")
    if code == ROOM_NOT_ANNOUNCED:
        raise ActionError(TOURNAMENT_ERROR, "there is no tournament with this id")
    if code == "invalid_move" and failed.field is not None:
        part, _, name = failed.field.partition(".")
        text = f"{MOVE_FIELDS[action][part][name]} is missing or not an integer"
        raise ActionError(INVALID_ACTION, text)
    if action == PLACE and code in ("hole", "occupied"):
        raise ActionError(INVALID_COORDINATE, failed.error, hint=failed.hint)
    return format_error(ERROR_TYPES.get(code, TOURNAMENT_ERROR), failed.error, failed.hint)
