"""The errors of Fish actions, and the refusals of the service that they stand for. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabnet.errors import TabnetError
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table

INVALID_COORDINATE = "Invalid_Coordinate"
INVALID_ACTION = "Invalid_Action"
INCORRECT_TOKEN = "Incorrect_Token"  # noqa: S105 - no password
UNKNOWN_ACTION = "Unknown_Action"
UNKNOWN_COLOR = "Unknown_Color"
TOURNAMENT_ERROR = "Tournament_Error"

ERROR_TYPES = {
    "off_board": INVALID_COORDINATE,
    **dict.fromkeys(
        (
            *("not_your_turn", "game_over", "no_seat", "invalid_move", "must_place", "all_placed"),
            *("no_piece", "wrong_direction", "blocked", "hole", "occupied"),
        ),
        INVALID_ACTION,
    ),
    "bad_token": INCORRECT_TOKEN,
    "unknown_command": UNKNOWN_ACTION,
}
"""The type of an error by the code of a refusal; all others are `Tournament_Error`."""

Fields = Mapping[str, Any]


class ActionError(TabnetError):
    """A request that gets an error; `code` is its type."""


def format_error(error_type: str, text: str, hint: str | None = None) -> dict[str, Any]:
    """Return an error as a response."""
    return {"error_type": error_type, "error_message": f"{text} ({hint})" if hint else text}


def require_begun(game: Match | Table) -> Match:
    """Return the match; raise `ActionError` if players are still missing."""
    if isinstance(game, Match):
        return game
    here, seats = len(game.players), game.terms.seats
    text = f"the game has not begun: {here} of {seats} players are here"
    raise ActionError(TOURNAMENT_ERROR, text)


def read_integer(fields: Fields, name: str) -> int:
    """Return the integer in a field of a query; raise `ActionError`."""
    if name not in fields:
        raise ActionError(TOURNAMENT_ERROR, f"{name} is missing")
    value = fields[name]
    if type(value) is not int:
        raise ActionError(TOURNAMENT_ERROR, f"{name} is not an integer")
    return value
