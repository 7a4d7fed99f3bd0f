"""Rebuilds matches and tables from their stored rows. Pure.

A match is rebuilt by playing it once more. Each row must equal the result of the rules, the dice
and the clock, so that a damaged row is detected.
"""

from __future__ import annotations

from collections.abc import Callable

from tabnet.errors import BrokenHistory, TabnetError
from tabnet.games import GAMES
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.fields import Clock
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import CRASH, UNUSUAL_ENDS, Seat
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.pairing.lobby import Table, WaitingPlayer, get_wait_ms
from tabnet.server.core.rows import JSON, MatchEvent, SavedMatch, SavedTable
from tabnet.server.core.rows_of_matches import make_event_row


def load_terms(row: JSON) -> Terms:
    """Return the terms of a row; the inverse of `make_terms_row`."""
    game = GAMES[row["kind"]]
    return Terms(
        kind=game.kind,
        options=game.make_options(row["options"]),
        seats=row["seats"],
        clock=Clock(**row["clock"]),
        group=row["group"],
        strict=row["strict"],
    )


def load_table(saved: SavedTable, now: int) -> Table:
    """Return a table that goes on waiting.

    An invite stays valid until its old end. A public wait begins anew, because its players have to
    connect again first.
    """
    row = saved.waiting
    expires = now + get_wait_ms(row.invite) - (saved.age_ms if row.invite else 0)
    players = [WaitingPlayer(**player) for player in row.players]
    return Table(row.game, load_terms(row.terms), expires, players, row.invite)


def replay_match(saved: SavedMatch, now: int) -> Match:
    """Return a match that goes on at `now`; raise `BrokenHistory` if it cannot be replayed."""
    begun, history = saved.begun, saved.history
    seats = tuple(Seat(**seat) for seat in begun.seats)
    match = Match.start(begun.game, load_terms(begun.terms), seats, begun.secret, 0)
    _compare_events(match, history, 1)
    while match.seq < len(history):
        row, seq = history[match.seq], match.seq + 1
        try:
            _check_time(match, row)
            match = REPLAY[row.event](match, row)
        except (TabnetError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise BrokenHistory(match.id, seq, f"{row.event} is refused: {error}") from None
        _compare_events(match, history, seq)
    last = history[-1].at if saved.paused_at is None else saved.paused_at
    return match.shift(now - last)


def _check_time(match: Match, row: MatchEvent) -> None:
    """Raise `ValueError` if an event is earlier than the one before it, or after the deadline."""
    deadline = match.deadline
    if row.at < match.moments[-1].at:
        raise ValueError("it is earlier than the event before it")
    if deadline is not None and row.at >= deadline and row.event != "timeout":
        raise ValueError("the time was over")


def _compare_events(match: Match, history: tuple[MatchEvent, ...], since: int) -> None:
    """Raise `BrokenHistory` if an event from number `since` on differs from its stored row."""
    for seq in range(since, match.seq + 1):
        if seq > len(history):
            raise BrokenHistory(match.id, seq, "it is missing")
        stored, right = history[seq - 1], make_event_row(match, seq)
        if stored != right:
            text = f"{_describe_row(stored)} is stored, it must be {_describe_row(right)}"
            raise BrokenHistory(match.id, seq, text)


def _describe_row(row: MatchEvent) -> str:
    detail = "" if row.detail is None else f" {row.detail}"
    return f"{row.event}{detail} of seat {row.seat} as number {row.seq} at {row.at} ms"


def _play(match: Match, row: MatchEvent) -> Match:
    fields = row.detail if row.event == "move" else {"cell": row.detail}
    return match.play(_require_seat(match, row), "notify", fields, row.at)


def _release(match: Match, row: MatchEvent) -> Match:
    held = match.held.cell if match.held else None
    return match.play(_require_seat(match, row), "notify", {"cell": held}, row.at)


def _draw(match: Match, row: MatchEvent) -> Match:
    if not isinstance(row.detail, bool):
        raise ValueError("it is neither an offer nor a withdrawal")
    return match.offer_draw(_require_seat(match, row), row.detail, row.at)


def _expire(match: Match, row: MatchEvent) -> Match:
    expired = match.expire(row.at)
    if expired is None:
        raise ValueError("no time has run out")
    return expired


def _punish(match: Match, row: MatchEvent) -> Match:
    seat = _require_seat(match, row)
    if row.detail not in CODES or not match.may_punish(seat):
        raise ValueError("nothing could be punished")
    return match.punish(seat, row.detail, row.at)


def _end(match: Match, row: MatchEvent) -> Match:
    if row.detail == CRASH:
        return match.end(row.at, CRASH, loser=_require_seat(match, row))
    if row.detail is None:
        return match.end(row.at)
    if row.detail not in UNUSUAL_ENDS:
        raise ValueError("no match ends for this reason")
    return match.end(row.at, row.detail)


def _require_seat(match: Match, row: MatchEvent) -> int:
    if row.seat is None or row.seat not in range(len(match.seats)):
        raise ValueError("it belongs to no seat")
    return row.seat


REPLAY: dict[str, Callable[[Match, MatchEvent], Match]] = {
    "salt": lambda match, row: match.reveal(
        _require_seat(match, row), bytes.fromhex(row.detail), row.at
    ),
    "roll": lambda match, row: match.play(_require_seat(match, row), "roll", {}, row.at),
    "pass": lambda match, row: match.play(_require_seat(match, row), "pass", {}, row.at),
    "move": _play,
    "select": _play,
    "release": _release,
    "draw": _draw,
    "leave": lambda match, row: match.leave(_require_seat(match, row), row.at),
    "timeout": _expire,
    "illegal": _punish,
    "end": _end,
}
"""Each repeats the event of a row in the match before it."""
