"""The rows of players and of the status, from a game as it stands. Pure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeAlias, cast

from tabnet.dialects.plakoto_rest.board import COLOURS
from tabnet.games.api import Outcome, Pass, Roll
from tabnet.games.plakoto.state import PlakotoState
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import ENDED, ERROR, Moment
from tabnet.server.core.pairing.lobby import PRIVATE_WAIT_MS, Table

Row: TypeAlias = dict[str, Any]
Game: TypeAlias = Match | Table | None
"""The game of a room; None if nobody has a seat there."""
ToUtc: TypeAlias = Callable[[int], int]
"""Converts a time of the server's clock to milliseconds since 1970."""

ABORTED = ("timeout", ENDED, ERROR)
"""The reasons of results that come from a clock, the operator or a fault."""
DRAWS = ("both_mothers", "agreed")


def timestamp(time: int) -> str:
    """Return milliseconds since 1970 as a date and a time of day in UTC."""
    return datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def player_row(game: Game, seat: int, to_utc: ToUtc) -> Row:
    """Return the row of a colour; without a player its name is null."""
    name, time = None, None
    if isinstance(game, Match):
        name, time = game.seats[seat].label or game.nicks[seat], _last_action(game, seat)
    elif game is not None:
        for player in game.players:
            if player.wish == seat:
                name, time = player.label or player.nick, _began_to_wait(game)
    return {
        "username": name,
        "piece_color": COLOURS[seat],
        "last_action": None if time is None else timestamp(to_utc(time)),
    }


def status_row(game: Game, to_utc: ToUtc) -> Row:
    """Return the status of a room."""
    row: Row = {
        "status": "not active",
        "p_turn": None,
        "result": None,
        "last_change": None,
        "dice1": None,
        "dice2": None,
        "moves_left": [],
    }
    if isinstance(game, Match):
        latest = game.moments[-1]
        row["status"] = _status(game.result)
        row["p_turn"] = None if game.turn is None else COLOURS[game.turn]
        row["result"] = _result(game.result)
        row["last_change"] = timestamp(to_utc(game.began + latest.at))
        row |= _dice(game, latest)
    elif game is not None:
        row["status"] = "initialized"
        row["last_change"] = timestamp(to_utc(_began_to_wait(game)))
    return row


def _status(result: Outcome | None) -> str:
    if result is None:
        return "started"
    return "aborded" if result.reason in ABORTED else "ended"


def _result(result: Outcome | None) -> str | None:
    if result is None:
        return None
    if len(result.winners) == 1:
        return COLOURS[result.winners[0]]
    return "D" if result.reason in DRAWS else None


def _dice(match: Match, latest: Moment) -> Row:
    """Return the dice of the current turn, or of the last one; null while a throw is due."""
    state = cast(PlakotoState, latest.state)
    if state.actions() == (Roll(),):
        return {}
    throw = _last_throw(match)
    left = [] if match.turn is None else list(state.dice)
    return {"dice1": throw[0], "dice2": throw[1], "moves_left": left}


def _last_throw(match: Match) -> tuple[int, int]:
    actions = (match.moments[number].action for number in range(match.seq - 1, -1, -1))
    return next(cast(tuple[int, int], each.outcome) for each in actions if isinstance(each, Roll))


def _last_action(match: Match, seat: int) -> int:
    """Return when a player last acted; the server's throws and passes are no actions of players."""
    for number in range(match.seq - 1, -1, -1):
        moment = match.moments[number]
        if moment.seat == seat and not isinstance(moment.action, Roll | Pass):
            return match.began + moment.at
    return match.began


def _began_to_wait(table: Table) -> int:
    return table.expires - PRIVATE_WAIT_MS
