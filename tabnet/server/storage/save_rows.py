"""Saves rows in the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, cast

import apsw
import orjson
from attrs import fields

from tabnet.server.core import rows
from tabnet.server.storage import journal

# The last entry of each table stays, so that its numbers only go up. A commit deletes a limited
# number of entries, so that none takes long.
_PRUNE = ";".join(
    f"""
        DELETE FROM {table} WHERE id < min(
            (SELECT max(id) FROM {table}),
            (SELECT min(id) + 1000 FROM {table}),
            ifnull((SELECT min(first) FROM matches WHERE ended IS NULL), 9e18)
        )
    """  # noqa: S608 - the names are the two below
    for table in ("journal", "journal_games")
)

_WRITE: dict[type[rows.Row], str] = {
    rows.Registered: """
        INSERT INTO accounts (nick, salt, digest) VALUES (:nick, :salt, :digest)
        ON CONFLICT DO UPDATE SET salt = excluded.salt, digest = excluded.digest
    """,
    rows.LoginNetworks: "REPLACE INTO login_networks (nick, networks) VALUES (:nick, :networks)",
    rows.Banned: """
        DELETE FROM bans WHERE nick = :nick;
        INSERT INTO bans (nick, reason) SELECT :nick, :reason WHERE :reason IS NOT NULL
    """,
    rows.AddressBanned: """
        DELETE FROM address_bans WHERE network = :network;
        INSERT INTO address_bans (network, reason)
        SELECT :network, :reason WHERE :reason IS NOT NULL
    """,
    rows.WaitingTable: """
        INSERT INTO tables (game, terms, players, invite) VALUES (:game, :terms, :players, :invite)
        ON CONFLICT DO UPDATE
        SET terms = excluded.terms, players = excluded.players, invite = excluded.invite
    """,
    rows.WaitOver: """
        DELETE FROM tables WHERE game = :game;
        DELETE FROM tokens WHERE game = :game
    """,
    rows.RoomOpened: "REPLACE INTO rooms (room, game) VALUES (:room, :game)",
    rows.RoomClosed: "DELETE FROM rooms WHERE room = :room",
    rows.SeatToken: "REPLACE INTO tokens (game, nick, digest) VALUES (:game, :nick, :token)",
    rows.Unseated: "DELETE FROM tokens WHERE game = :game AND nick = :nick",
    rows.MatchStarted: """
        DELETE FROM tables WHERE game = :game;
        INSERT INTO matches (game, terms, seats, secret, first)
        SELECT :game, :terms, :seats, :secret, id FROM next_entry
    """,
    rows.MatchEnded: """
        UPDATE matches
        SET ended = unixepoch(), result = :result, scores = :scores, history = :history
        WHERE game = :game;
        INSERT INTO standings (board, nick, victories, games, points)
        SELECT
            json_array(value ->> 0, value ->> 1, value ->> 2),
            value ->> 3, value ->> 4, 1, value ->> 5
        FROM json_each(:scores) WHERE true
        ON CONFLICT DO UPDATE SET
            victories = victories + excluded.victories,
            games = games + 1,
            points = points + excluded.points
    """,
    rows.Paused: """
        UPDATE matches
        SET paused_at = :at, paused_after = (SELECT id - 1 FROM next_entry)
        WHERE game = :game
    """,
    rows.SetAsideEnded: """
        UPDATE matches
        SET ended = unixepoch(), result = :result, scores = '[]', entries = :entries
        WHERE game = :game
    """,
}


def save_rows(database: apsw.Connection, batch: Sequence[rows.Row]) -> None:
    """Commit all of the rows, in their order, or none."""
    with database:
        for row_type, run in groupby(batch, type):
            if row_type is rows.MatchEvent:  # nearly all rows are: one statement for all of them
                journal.append_entry(database, cast(Iterator[rows.MatchEvent], run))
                continue
            for row in run:
                more = _make_end(database, row) if isinstance(row, rows.SetAsideEnded) else {}
                database.execute(_WRITE[row_type], {**_make_bindings(row), **more})
            if row_type in (rows.MatchEnded, rows.SetAsideEnded):
                database.execute(_PRUNE)


def _make_end(database: apsw.Connection, row: rows.SetAsideEnded) -> dict[str, str]:
    """Return the journal entries of a match that has no history, and its result."""
    query = "SELECT first, CAST(seats AS BLOB) FROM matches WHERE game = ?"
    ((first, seats),) = database.execute(query, (row.game,))
    entries = list(journal.read_entries_of(database, row.game, first))
    try:
        points = [0] * len(orjson.loads(seats))
    except (TypeError, ValueError):
        points = []
    result = {"winners": [], "points": points, "reason": "ended"}
    return {"entries": _dump_json(entries), "result": _dump_json(result)}


def _make_bindings(row: rows.Row) -> dict[str, str | bytes | int | None]:
    """Return the row's fields by name; values of types that SQLite does not have become JSON."""
    values = {field.name: getattr(row, field.name) for field in fields(type(row))}
    return {
        name: value if isinstance(value, str | bytes | int | None) else _dump_json(value)
        for name, value in values.items()
    }


def _dump_json(value: Any) -> str:
    return orjson.dumps(value, default=_make_tuple).decode()


def _make_tuple(value: Any) -> tuple[Any, ...]:
    """Return an event or a score of a match that has ended as JSON."""
    if type(value) is rows.MatchEvent:  # the history of a match has hundreds of them
        return value.seq, value.at, value.event, value.seat, value.detail
    if isinstance(value, rows.MatchScore):
        return value.kind, value.size, value.group, value.nick, value.won, value.points
    raise TypeError(f"{value!r} is no JSON")
