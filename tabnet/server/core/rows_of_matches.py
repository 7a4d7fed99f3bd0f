"""Maps matches and tables to their stored rows. Pure."""

from __future__ import annotations

from typing import Any

import attrs

from tabnet.games.api import Move, Roll
from tabnet.server.core import rows
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import CRASH, UNUSUAL_ENDS
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.pairing.lobby import Table


def make_terms_row(terms: Terms) -> rows.JSON:
    """Return terms as JSON values."""
    return {
        "kind": terms.kind,
        "options": terms.options_json,
        "seats": terms.seats,
        "clock": terms.clock_json,
        "group": terms.group,
        "strict": terms.strict,
    }


def make_waiting_row(table: Table) -> rows.WaitingTable:
    """Return the row of a table that waits."""
    players = tuple(attrs.asdict(player) for player in table.players)
    return rows.WaitingTable(table.id, make_terms_row(table.terms), players, table.invite)


def make_start_row(match: Match) -> rows.MatchStarted:
    """Return the row of a match before its first event."""
    seats = tuple(attrs.asdict(seat) for seat in match.seats)
    return rows.MatchStarted(match.id, make_terms_row(match.terms), seats, match.dice.secret)


def make_event_row(match: Match, seq: int) -> rows.MatchEvent:
    """Return the row of event number `seq`, counted from 1."""
    moment = match.moments[seq - 1]
    detail: Any = moment.word
    if isinstance(moment.action, Roll):
        thrown = moment.action.outcome
        detail = list(thrown) if isinstance(thrown, tuple) else thrown
    elif isinstance(moment.action, Move):
        detail = match.terms.game.dump_move(moment.action)
    elif moment.event == "select" and moment.held is not None:
        detail = moment.held.cell
    elif moment.event == "end" and moment.seat is not None:
        detail = CRASH
    elif moment.event == "end" and moment.result and moment.result.reason in UNUSUAL_ENDS:
        detail = moment.result.reason
    return rows.MatchEvent(match.id, seq, moment.at, moment.event, moment.seat, detail)


def make_end_row(match: Match) -> rows.MatchEnded:
    """Return the row of a match that is over."""
    if match.result is None:
        raise ValueError("the match is not over")
    kind, size, group = match.terms.board
    scores = tuple(
        rows.MatchScore(
            kind, size, group, nick, seat in match.result.winners, match.result.points[seat]
        )
        for seat, nick in enumerate(match.nicks)
    )
    return rows.MatchEnded(
        game=match.id,
        result=attrs.asdict(match.result),
        history=tuple(make_event_row(match, seq) for seq in range(1, match.seq + 1)),
        scores=scores if match.is_ranked else (),
    )


def read_nicks(seats: Any) -> tuple[str, ...]:
    """Return the readable nicks in stored seats."""
    if not isinstance(seats, list | tuple):
        return ()
    nicks = [seat.get("nick") for seat in seats if isinstance(seat, dict)]
    return tuple(nick for nick in nicks if isinstance(nick, str))
