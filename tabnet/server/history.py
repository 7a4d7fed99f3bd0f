"""Matches and tables as the rows that are kept of them, and back again. Pure.

A match is rebuilt by playing it once more: each row has to be what the rules, the dice and the
clock make of it, so that a damaged one is found out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from tabnet.errors import CODES, BrokenHistory, TabnetError
from tabnet.games import GAMES
from tabnet.games.api import Move, Roll
from tabnet.protocol.fields import Clock
from tabnet.server.lobby import PRIVATE_WAIT_MS, PUBLIC_WAIT_MS, Player, Table
from tabnet.server.match import Match, Seat
from tabnet.server.records import (
    JSON,
    Begun,
    Ended,
    Happened,
    SavedMatch,
    SavedTable,
    Score,
    Waiting,
)
from tabnet.server.terms import Terms

# Kept


def terms_row(terms: Terms) -> JSON:
    """Terms as JSON values."""
    return {
        "kind": terms.kind,
        "options": terms.options_json,
        "seats": terms.seats,
        "clock": terms.clock_json,
        "group": terms.group,
        "strict": terms.strict,
    }


def waiting_row(table: Table) -> Waiting:
    """A table as it stands now."""
    players = tuple(attrs.asdict(player) for player in table.players)
    return Waiting(table.id, terms_row(table.terms), players, table.invite)


def begun_row(match: Match) -> Begun:
    """A match before its first event."""
    seats = tuple(attrs.asdict(seat) for seat in match.seats)
    return Begun(match.id, terms_row(match.terms), seats, match.dice.secret)


def event_row(match: Match, seq: int) -> Happened:
    """Event number `seq`, counted from 1."""
    moment = match.moments[seq - 1]
    detail: Any = moment.word
    if isinstance(moment.action, Roll):
        thrown = moment.action.outcome
        detail = list(thrown) if isinstance(thrown, tuple) else thrown
    elif isinstance(moment.action, Move):
        detail = match.terms.game.dump_move(moment.action)
    elif moment.event == "select" and moment.held is not None:
        detail = moment.held.cell
    return Happened(match.id, seq, moment.at, moment.event, moment.seat, detail)


def ended_row(match: Match) -> Ended:
    """A match that is over, as a whole."""
    if match.result is None:
        raise ValueError("the match is not over")
    kind, size, group = match.terms.board
    ranked = all(seat.ranked for seat in match.seats)
    scores = tuple(
        Score(kind, size, group, nick, seat in match.result.winners, match.result.points[seat])
        for seat, nick in enumerate(match.nicks)
    )
    return Ended(
        game=match.id,
        result=attrs.asdict(match.result),
        history=tuple(event_row(match, seq) for seq in range(1, match.seq + 1)),
        scores=scores if ranked else (),
    )


# Rebuilt


def terms_from(row: JSON) -> Terms:
    """The inverse of `terms_row`."""
    game = GAMES[row["kind"]]
    return Terms(
        kind=game.kind,
        options=game.make_options(row["options"]),
        seats=row["seats"],
        clock=Clock(**row["clock"]),
        group=row["group"],
        strict=row["strict"],
    )


def table_from(saved: SavedTable, now: int) -> Table:
    """A table that goes on waiting.

    An invite stays good for as long as it was; who waits in public had to come back first, and is
    given the whole time again.
    """
    row = saved.waiting
    expires = now + (PRIVATE_WAIT_MS - saved.age_ms if row.invite else PUBLIC_WAIT_MS)
    players = [Player(**player) for player in row.players]
    return Table(row.game, terms_from(row.terms), expires, players, row.invite)


def match_from(saved: SavedMatch, now: int) -> Match:
    """A match that goes on at `now`; raises `BrokenHistory`."""
    begun, history = saved.begun, saved.history
    seats = tuple(Seat(**seat) for seat in begun.seats)
    match = Match.start(begun.game, terms_from(begun.terms), seats, begun.secret, 0)
    _compare(match, history, 1)
    while match.seq < len(history):
        row, seq = history[match.seq], match.seq + 1
        try:
            _check_time(match, row)
            REPLAY[row.event](match, row)
        except (TabnetError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise BrokenHistory(match.id, seq, f"{row.event} is refused: {error}") from None
        _compare(match, history, seq)
    last = history[-1].at if saved.paused_at is None else saved.paused_at
    match.shift(now - last)
    return match


def _check_time(match: Match, row: Happened) -> None:
    """Time only goes forward, and when it is over there is nothing but its end."""
    deadline = match.deadline()
    if row.at < match.moments[-1].at:
        raise ValueError("time went backwards")
    if deadline is not None and row.at >= deadline and row.event != "timeout":
        raise ValueError("the time was over")


def _compare(match: Match, history: tuple[Happened, ...], since: int) -> None:
    """Every event from number `since` on has to be the one that was kept."""
    for seq in range(since, match.seq + 1):
        if seq > len(history):
            raise BrokenHistory(match.id, seq, "it is missing")
        kept, made = history[seq - 1], event_row(match, seq)
        if kept != made:
            raise BrokenHistory(match.id, seq, f"{_said(kept)} was kept, it must be {_said(made)}")


def _said(row: Happened) -> str:
    detail = "" if row.detail is None else f" {row.detail}"
    return f"{row.event}{detail} of seat {row.seat} as number {row.seq} at {row.at} ms"


def _play(match: Match, row: Happened) -> None:
    fields = row.detail if row.event == "move" else {"cell": row.detail}
    match.play(_seat(match, row), "notify", fields, row.at)


def _release(match: Match, row: Happened) -> None:
    held = match.held.cell if match.held else None
    match.play(_seat(match, row), "notify", {"cell": held}, row.at)


def _draw(match: Match, row: Happened) -> None:
    if not isinstance(row.detail, bool):
        raise ValueError("neither offered nor taken back")
    match.offer_draw(_seat(match, row), row.detail, row.at)


def _expire(match: Match, row: Happened) -> None:
    if not match.expire(row.at):
        raise ValueError("no time has run out")


def _punish(match: Match, row: Happened) -> None:
    seat = _seat(match, row)
    if row.detail not in CODES or not match.may_punish(seat):
        raise ValueError("nothing could be punished")
    match.punish(seat, row.detail, row.at)


def _seat(match: Match, row: Happened) -> int:
    if row.seat is None or row.seat not in range(len(match.seats)):
        raise ValueError("nobody did it")
    return row.seat


REPLAY: dict[str, Callable[[Match, Happened], None]] = {
    "salt": lambda match, row: match.reveal(_seat(match, row), bytes.fromhex(row.detail), row.at),
    "roll": lambda match, row: match.play(_seat(match, row), "roll", {}, row.at),
    "pass": lambda match, row: match.play(_seat(match, row), "pass", {}, row.at),
    "move": _play,
    "select": _play,
    "release": _release,
    "draw": _draw,
    "leave": lambda match, row: match.leave(_seat(match, row), row.at),
    "timeout": _expire,
    "illegal": _punish,
    "end": lambda match, row: match.end(row.at),
}
"""How each event is made to happen again."""
