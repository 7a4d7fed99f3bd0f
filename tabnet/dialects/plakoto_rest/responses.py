"""Responses: rows as JSON, and refusals in the words of the dialect. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import orjson

from tabnet.dialects.plakoto_rest.requests import ILLEGAL_MOVE
from tabnet.dialects.web.responses import Response, make_error_response, make_json_response
from tabnet.errors import Refused, TabnetError, shorten
from tabnet.games.plakoto.refusals import CODES
from tabnet.protocol.frames import Failed

ERROR_FIELD = "errormesg"
"""The field of an error's text, spelled as in the document of the dialect."""

NO_TOKEN = "token is not set."  # noqa: S105 - a text
NO_PLAYER = "You are not a player of this game."
NOT_PLAYING = "Game is not in action."
NOT_YOUR_TURN = "It is not your turn."
CANNOT_MOVE = "This piece cannot move."
ALREADY_SET = "Player {} is already set. Please select another color."

TOKEN_CODES = ("bad_token", "who_are_you", "no_seat", "unknown_game")
OWN_TEXTS = {
    "waiting": NOT_PLAYING,
    "game_over": NOT_PLAYING,
    "not_your_turn": NOT_YOUR_TURN,
}
"""Codes that have a text of their own in this dialect."""


def rows_response(rows: Sequence[dict[str, Any]]) -> Response:
    """Return the response with an array of rows."""
    return make_json_response(HTTPStatus.OK, orjson.dumps(rows))


def not_found(path: str) -> Response:
    """Return the response to a request for a cell that the board does not have now."""
    text = f"there is nothing at {shorten(path)}"
    return make_error_response(HTTPStatus.NOT_FOUND, text, ERROR_FIELD)


def refused(error: TabnetError) -> Response:
    """Return the response to a request that is refused."""
    later = {} if error.retry_after is None else {"Retry_After": str(error.retry_after)}
    return make_error_response(HTTPStatus.BAD_REQUEST, error.text, ERROR_FIELD, **later)


def refusal(failed: Failed, colour: str, token: str | None) -> Refused:
    """Return the refusal of a command in the words of the dialect."""
    return Refused(failed.code, _text(failed, colour, token), retry_after=failed.retry_after)


def _text(failed: Failed, colour: str, token: str | None) -> str:
    if failed.code in TOKEN_CODES:
        return NO_TOKEN if token is None else NO_PLAYER
    if failed.code in OWN_TEXTS:
        return OWN_TEXTS[failed.code]
    if failed.code == "room_full" or failed.field == "seat":
        return ALREADY_SET.format(colour)
    reason = failed.error[:1].upper() + failed.error[1:]
    if failed.hint is not None:
        reason += f" ({failed.hint})"
    return f"{ILLEGAL_MOVE} {reason}." if failed.code in CODES else f"{reason}."
