"""The journal: one entry for the events of each commit, and how the loss of an entry is noticed.

Each entry lists the games of its events and has a checksum. The table `journal_games` lists the
games of every entry once more, and the numbers of entries have no gaps. An entry that was changed
or deleted is therefore noticed, even the last one, and costs only the games that it lists. Entries
of version 0.1.0 have no list and no checksum: an unreadable one costs each game without a later
event, because any of these may have lost its last event.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

import apsw
import orjson
from attrs import Factory, frozen

from tabnet.server.core.rows import MatchEvent

StoredEvent: TypeAlias = list[Any]
"""[game, seq, at, event, seat, detail]"""

_APPEND = """
INSERT INTO journal (id, events, games, checksum) SELECT id, ?, ?, ? FROM next_entry;
INSERT INTO journal_games (id, games) VALUES (last_insert_rowid(), ?)
"""
# As blobs, because text that is not UTF-8 must be an unreadable entry and not an exception.
_READ = """
SELECT
    id, CAST(journal_games.games AS BLOB), CAST(journal.games AS BLOB), checksum,
    CAST(events AS BLOB)
FROM journal LEFT JOIN journal_games USING (id) WHERE id >= ? ORDER BY id
"""
_LOST = "SELECT id, CAST(games AS BLOB) FROM journal_games WHERE id >= ? AND id < ? ORDER BY id"


@frozen
class Entry:
    """A journal entry. An unreadable one has an `error` and no events."""

    id: int
    games: frozenset[str] | None
    """The games of an unreadable entry; None if they are not known."""
    events: list[StoredEvent] = Factory(list)
    error: str | None = None
    stored: dict[str, Any] = Factory(dict)
    """The columns of an unreadable entry, as text."""


def append_entry(database: apsw.Connection, rows: Iterable[MatchEvent]) -> None:
    """Add one entry with these events."""
    stored = [(row.game, row.seq, row.at, row.event, row.seat, row.detail) for row in rows]
    games = b"[%b]" % b",".join(map(_quote, dict.fromkeys(event[0] for event in stored)))
    events = orjson.dumps(stored)
    listed = games.decode()
    database.execute(_APPEND, (events.decode(), listed, compute_checksum(games, events), listed))


@lru_cache(10_000)
def _quote(game: str) -> bytes:
    """Return the id of a game as JSON; a game has many entries."""
    return orjson.dumps(game)


def compute_checksum(games: bytes, events: bytes) -> int:
    """Return the checksum of an entry."""
    return zlib.crc32(events, zlib.crc32(games))


def read_entries(database: apsw.Connection, first: int) -> Iterator[Entry]:
    """Yield all entries from number `first` on, also those that are missing."""
    expected = first
    for id, *columns in database.execute(_READ, (first,)):
        yield from _make_lost_entries(database, expected, id)
        yield _make_entry(id, *columns)
        expected = id + 1
    yield from _make_lost_entries(
        database, expected, database.execute("SELECT id FROM next_entry").get
    )


def read_entries_of(database: apsw.Connection, game: str, first: int) -> Iterator[dict[str, Any]]:
    """Yield a game's events, and the unreadable entries that may have more, from `first` on."""
    for entry in read_entries(database, first):
        events = [event for event in entry.events if event[0] == game]
        if events:
            yield {"id": entry.id, "events": events}
        elif entry.error is not None and (entry.games is None or game in entry.games):
            yield {"id": entry.id, "error": entry.error, **entry.stored}


def _make_lost_entries(database: apsw.Connection, start: int, end: int) -> Iterator[Entry]:
    """Yield the missing entries from `start` to before `end`: one for all that nothing lists."""
    if start >= end:
        return
    listed: list[Any] = database.execute(_LOST, (start, end)).fetchall()
    for id, games in listed:
        yield Entry(id, _parse_games(games), error=f"journal entry {id} is missing")
    if len(listed) < end - start:
        yield Entry(end - 1, None, error=f"journal entries before {end} are missing")


def _make_entry(
    id: int, listed: bytes | None, games: bytes | None, stored_sum: int | None, events: bytes
) -> Entry:
    is_from_version_1 = listed is None and games is None and stored_sum is None
    if is_from_version_1 or stored_sum == compute_checksum(games or b"", events):
        try:
            return Entry(id, None, _parse_events(events))
        except (TypeError, ValueError) as reason:
            error = f"journal entry {id} is unreadable: {reason}"
    else:
        error = f"journal entry {id} has a wrong checksum"
    known = [names for names in map(_parse_games, (listed, games)) if names is not None]
    all_games = frozenset[str]().union(*known) if known else None
    stored = {"games": _decode(games), "checksum": stored_sum, "events": _decode(events)}
    return Entry(id, all_games, error=error, stored=stored)


def _parse_events(text: bytes) -> list[StoredEvent]:
    events = orjson.loads(text)
    for game, seq, *_ in events:
        if not (isinstance(game, str) and isinstance(seq, int)):
            raise ValueError("it contains no list of events")
    loaded: list[StoredEvent] = events
    return loaded


def _parse_games(games: bytes | None) -> frozenset[str] | None:
    try:
        return None if games is None else frozenset(map(str, orjson.loads(games)))
    except (TypeError, ValueError):
        return None


def _decode(value: bytes | None) -> str | None:
    return None if value is None else value.decode(errors="backslashreplace")
