"""The database -> what is in it, as the rows that were saved."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import apsw
import orjson

from tabnet.server.core.rows import (
    JSON,
    Banned,
    MatchEvent,
    MatchStarted,
    Registered,
    Saved,
    SavedMatch,
    SavedTable,
    SeatToken,
    Standing,
    Waiting,
)

StoredEvents: TypeAlias = tuple[int, tuple[MatchEvent, ...]]
"""What the journal tells of a match, and in which entry it does so last."""

_TABLES = """
SELECT game, terms, players, invite, max(0, CAST(unixepoch('subsec') * 1000 AS INTEGER) - opened_ms)
FROM tables ORDER BY number
"""
_TOKENS_OF_TABLES = """
SELECT game, nick, digest FROM tables JOIN tokens USING (game) ORDER BY number, nick
"""
_STANDINGS = "SELECT board, nick, victories, games, points FROM standings ORDER BY board, nick"
_MATCHES = """
SELECT game, terms, seats, secret, first, paused_at, paused_after, history FROM matches
"""


def load(database: apsw.Connection) -> Saved:
    """All that a server needs to go on."""
    with _one_moment(database):
        return Saved(
            accounts=tuple(
                Registered(*row)
                for row in database.execute("SELECT nick, salt, digest FROM accounts ORDER BY nick")
            ),
            bans=tuple(
                Banned(*row)
                for row in database.execute("SELECT nick, reason FROM bans ORDER BY nick")
            ),
            tables=tuple(_table(*row) for row in database.execute(_TABLES)),
            tokens=tuple(SeatToken(*row) for row in database.execute(_TOKENS_OF_TABLES)),
            matches=_unfinished(database),
            standings=tuple(_standing(*row) for row in database.execute(_STANDINGS)),
        )


def find(database: apsw.Connection, game: str) -> SavedMatch | None:
    """One match, finished or not."""
    with _one_moment(database):
        row: Any = database.execute(f"{_MATCHES} WHERE game = ?", (game,)).fetchone()
        if row is None:
            return None
        told = {} if row[-1] else _told(database, {game}, first=row[4])
        return _match(database, told, *row)


def find_token(database: apsw.Connection, digest: bytes) -> SavedMatch | None:
    """The match in which a seat has this token."""
    game = database.execute("SELECT game FROM tokens WHERE digest = ?", (digest,)).get
    return None if game is None else find(database, game)


def orders(database: apsw.Connection, after: int) -> list[tuple[int, JSON]]:
    """What administrators have ordered, with numbers above `after`."""
    query = "SELECT id, wanted FROM orders WHERE id > ? AND answer IS NULL ORDER BY id"
    return [(number, orjson.loads(wanted)) for number, wanted in database.execute(query, (after,))]


@contextmanager
def _one_moment(database: apsw.Connection) -> Iterator[None]:
    """All that is read inside is as it was at the same time."""
    with database:
        yield


def _table(game: str, terms: str, players: str, invite: str | None, age_ms: int) -> SavedTable:
    waiting = Waiting(game, orjson.loads(terms), tuple(orjson.loads(players)), invite)
    return SavedTable(waiting, age_ms)


def _standing(board: str, *sums: Any) -> Standing:
    return Standing(*orjson.loads(board), *sums)


def _unfinished(database: apsw.Connection) -> tuple[SavedMatch, ...]:
    # In the order of an index, so that not all matches there ever were are looked at.
    query = f"{_MATCHES} WHERE ended IS NULL ORDER BY first, number"
    rows: list[Any] = database.execute(query).fetchall()
    games = {row[0] for row in rows}
    told = _told(database, games, first=min((row[4] for row in rows), default=0))
    return tuple(_match(database, told, *row) for row in rows)


def _told(database: apsw.Connection, games: Collection[str], first: int) -> dict[str, StoredEvents]:
    """What the journal tells of the games from entry `first` on: one scan for all of them."""
    histories: dict[str, list[MatchEvent]] = {game: [] for game in games}
    entries = dict.fromkeys(games, 0)
    for entry, events in database.execute(
        "SELECT id, events FROM journal WHERE id >= ? ORDER BY id", (first,)
    ):
        for event in orjson.loads(events):
            if event[0] in histories:
                histories[event[0]].append(MatchEvent(*event))
                entries[event[0]] = entry
    return {game: (entries[game], tuple(histories[game])) for game in games}


def _match(
    database: apsw.Connection,
    told: dict[str, StoredEvents],
    game: str,
    terms: str,
    seats: str,
    secret: bytes,
    _first: int,
    paused_at: int | None,
    paused_after: int | None,
    history: str | None,
) -> SavedMatch:
    begun = MatchStarted(game, orjson.loads(terms), tuple(orjson.loads(seats)), secret)
    query = "SELECT game, nick, digest FROM tokens WHERE game = ? ORDER BY nick"
    tokens = tuple(SeatToken(*row) for row in database.execute(query, (game,)))
    if history is not None:
        events = tuple(MatchEvent(game, *event) for event in orjson.loads(history))
        return SavedMatch(begun, events, tokens)
    entry, events = told[game]
    pause_holds = paused_after is not None and entry <= paused_after
    return SavedMatch(begun, events, tokens, paused_at if pause_holds else None)
