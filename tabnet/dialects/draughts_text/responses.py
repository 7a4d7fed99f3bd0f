"""The responses of draughts in text lines: a game and a refusal become lines. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import cast

from tabnet.dialects.draughts_text.requests import (
    CANCEL_DRAW_REQUEST,
    JOIN,
    LEAVE,
    MOVE,
    REQUEST_A_DRAW,
)
from tabnet.games.draughts.state import DraughtsState
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import ABANDONED
from tabnet.server.core.pairing.lobby import Table
from tabnet.server.core.rooms.room_commands import Seen

COLOURS = ("WHITE", "BLACK")
"""The colours by seat."""
SUCCESSES = {
    MOVE: "MOVE_OK",
    REQUEST_A_DRAW: "DRAW_OK",
    CANCEL_DRAW_REQUEST: "DRAW_CANCEL_OK",
    LEAVE: "ROOM_LEFT",
}
"""The responses to requests that succeed without a value."""
FAILURES = {
    JOIN: "ROOM_NOT_FOUND",
    MOVE: "MOVE_FAIL",
    REQUEST_A_DRAW: "DRAW_FAIL",
    CANCEL_DRAW_REQUEST: "DRAW_CANCEL_FAIL",
}
"""The first word of the refusal of a valid request; that of others is `INVALID_SYNTAX`."""
UNPRINTABLE = re.compile("[^ -~]")


def format_refusal(name: str | None, reason: str) -> str:
    """Return the refusal of a request, with its reason in printable ASCII.

    `name` is that of a valid request, else None.
    """
    text = UNPRINTABLE.sub("?", reason.replace("…", "..."))
    return f"{FAILURES.get(name or '', 'INVALID_SYNTAX')} - {text}"


def format_room_created(room: str, own: str, enemy: str, seat: int | None) -> str:
    """Return the response to CREATE; `seat` is that of the creator, if the response shows it."""
    colour = "" if seat is None else f" COLOR={COLOURS[seat]}"
    return f"ROOM_CREATED ROOM_ID={room} PLAYER_COLOR_ID={own} ENEMY_COLOR_ID={enemy}{colour}"


def format_room_joined(seat: int) -> str:
    """Return the response to JOIN."""
    return f"ROOM_JOINED COLOR={COLOURS[seat]}"


def find_seats_online(seen: Seen, occupied: Collection[tuple[str, int]]) -> set[int]:
    """Return the seats whose players are in the room; `occupied` are those of text clients.

    When a game is over, `Seen` names nobody who is online, but text clients are still in the room.
    """
    game, nicks = seen.game, seen.game.nicks
    seats = range(2) if isinstance(game, Match) else [player.wish for player in game.players]
    return {
        seat
        for seat, nick in zip(seats, nicks, strict=True)
        if seat is not None and (seen.online[nick] or (game.id, seat) in occupied)
    }


def format_room_state(game: Match | Table, online: Collection[int], now: int) -> str:
    """Return the response to GET_STATE; `online` are the seats whose players are in the room."""
    if isinstance(game, Match):
        position, offers, left = game.state, game.offers, game.compute_left(now)
    else:
        terms = game.terms
        position, offers = terms.game.start(terms.options, 2), ()
        left = (round((terms.clock.total or 0) * 1000),) * 2
    white_time, black_time = left
    state = cast(DraughtsState, position)
    return (
        f"STATUS_OK STATE={_name_status(game)} PLAYER_TURN={COLOURS[state.side]}"
        f" WHITE_WANTS_DRAW={_format_bool(0 in offers)}"
        f" BLACK_WANTS_DRAW={_format_bool(1 in offers)}"
        f" BLACK_TIME={black_time} WHITE_TIME={white_time}"
        f" WHITE_ONLINE={_format_bool(0 in online)} BLACK_ONLINE={_format_bool(1 in online)}"
        f" BOARD={state.board}"
    )


def keeps_empty_room(game: Match | Table, *, waits: bool) -> bool:
    """Return whether a room without players exists; `waits` for players after a restart.

    A game that is not over keeps the room. One that ended because both players left does not.
    """
    result = game.result if isinstance(game, Match) else None
    return result is None or (waits and result.reason != ABANDONED)


def _name_status(game: Match | Table) -> str:
    if not isinstance(game, Match):
        return "WAITING"
    if game.result is None:
        return "PLAYING"
    return f"{COLOURS[game.result.winners[0]]}_WON" if game.result.winners else "DRAW"


def _format_bool(value: bool) -> str:
    return "TRUE" if value else "FALSE"
