"""The database -> the rows that were saved in it. An unreadable row costs only itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

import apsw
import orjson
from attrs import define, field

from tabnet.server.core.row_mapping import players_in
from tabnet.server.core.rows import (
    Banned,
    DamagedMatch,
    LoginNetworks,
    MatchEvent,
    MatchStarted,
    Registered,
    Saved,
    SavedMatch,
    SavedTable,
    SeatToken,
    StoredTotals,
    UnreadableRow,
    WaitingTable,
)
from tabnet.server.storage import journal

Stored: TypeAlias = SavedMatch | DamagedMatch
R = TypeVar("R")

# Text columns are read as blobs: SQLite does not check that text is UTF-8.
_ACCOUNTS = "SELECT CAST(nick AS BLOB), salt, digest FROM accounts ORDER BY nick"
_LOGIN_NETWORKS = """
SELECT CAST(nick AS BLOB), CAST(networks AS BLOB) FROM login_networks ORDER BY nick
"""
_BANS = "SELECT CAST(nick AS BLOB), CAST(reason AS BLOB) FROM bans ORDER BY nick"
_TABLES = """
SELECT
    CAST(game AS BLOB), CAST(terms AS BLOB), CAST(players AS BLOB), CAST(invite AS BLOB),
    max(0, CAST(unixepoch('subsec') * 1000 AS INTEGER) - opened_ms)
FROM tables ORDER BY number
"""
_TOKENS_OF_TABLES = """
SELECT CAST(game AS BLOB), CAST(nick AS BLOB), digest
FROM tables JOIN tokens USING (game) ORDER BY number, nick
"""
_STANDINGS = """
SELECT CAST(board AS BLOB), CAST(nick AS BLOB), victories, games, points
FROM standings ORDER BY board, nick
"""
_MATCHES = """
SELECT
    CAST(game AS BLOB), CAST(terms AS BLOB), CAST(seats AS BLOB), secret, first,
    paused_at, paused_after, ended, CAST(history AS BLOB)
FROM matches
"""
_UNFINISHED = f"{_MATCHES} WHERE ended IS NULL ORDER BY first, number"
"""In the order of an index, so that not all matches there ever were are looked at."""
_TOKENS = "SELECT game, CAST(nick AS BLOB), digest FROM tokens WHERE game = ? ORDER BY nick"


def load(database: apsw.Connection) -> Saved:
    """Return everything that a server needs to go on."""
    with _one_moment(database):
        reader = _Reader(database)
        matches = _unfinished(database)
        return Saved(
            accounts=reader.rows("accounts", _ACCOUNTS, _account),
            login_networks=reader.rows("login_networks", _LOGIN_NETWORKS, _login_networks),
            bans=reader.rows("bans", _BANS, _ban),
            tables=reader.rows("tables", _TABLES, _table),
            tokens=reader.rows("tokens", _TOKENS_OF_TABLES, _token),
            matches=tuple(match for match in matches if isinstance(match, SavedMatch)),
            standings=reader.rows("standings", _STANDINGS, _standing),
            damaged=tuple(match for match in matches if isinstance(match, DamagedMatch)),
            unreadable=tuple(reader.unreadable),
        )


def find(database: apsw.Connection, game: str) -> Stored | None:
    """Return one match, finished or not."""
    with _one_moment(database):
        row: Any = database.execute(f"{_MATCHES} WHERE game = ?", (game,)).fetchone()
        if row is None:
            return None
        match = _StoredMatch(*row)
        if match.ended is None:
            _read_journal(database, [match])
        return match.load(database)


def find_token(database: apsw.Connection, digest: bytes) -> Stored | None:
    """Return the match in which a seat has this token."""
    game = database.execute("SELECT game FROM tokens WHERE digest = ?", (digest,)).get
    return None if game is None else find(database, game)


@define
class _Reader:
    """Reads tables; collects the rows that it could not read."""

    database: apsw.Connection
    unreadable: list[UnreadableRow] = field(factory=list)

    def rows(self, table: str, query: str, load: Callable[..., R]) -> tuple[R, ...]:
        """Return the readable rows of a table; the first column is the key."""
        rows = []
        for columns in self.database.execute(query):
            try:
                rows.append(load(*columns))
            except (TypeError, ValueError) as error:
                key = bytes(columns[0]).decode(errors="replace")
                self.unreadable.append(UnreadableRow(table, key, str(error)))
        return tuple(rows)


@contextmanager
def _one_moment(database: apsw.Connection) -> Iterator[None]:
    """Let all reads inside see the database as it is at one moment."""
    with database:
        yield


def _account(nick: bytes, salt: bytes, digest: bytes) -> Registered:
    return Registered(nick.decode(), salt, digest)


def _login_networks(nick: bytes, networks: bytes) -> LoginNetworks:
    return LoginNetworks(nick.decode(), tuple(orjson.loads(networks)))


def _ban(nick: bytes, reason: bytes) -> Banned:
    return Banned(nick.decode(), reason.decode())


def _table(
    game: bytes, terms: bytes, players: bytes, invite: bytes | None, age_ms: int
) -> SavedTable:
    waiting = WaitingTable(
        game.decode(),
        orjson.loads(terms),
        tuple(orjson.loads(players)),
        None if invite is None else invite.decode(),
    )
    return SavedTable(waiting, age_ms)


def _token(game: bytes, nick: bytes, digest: bytes) -> SeatToken:
    return SeatToken(game.decode(), nick.decode(), digest)


def _standing(board: bytes, nick: bytes, *totals: Any) -> StoredTotals:
    kind, size, group = orjson.loads(board)
    return StoredTotals(kind, size, group, nick.decode(), *totals)


@define(eq=False)
class _StoredMatch:
    """A row of the table `matches`, and what the journal has of the match."""

    game: bytes
    terms: bytes
    seats: bytes
    secret: bytes
    first: int
    paused_at: int | None
    paused_after: int | None
    ended: int | None
    history: bytes | None
    events: list[journal.StoredEvent] = field(factory=list)
    last_entry: int = 0
    damage: str | None = None

    @property
    def id(self) -> str:
        return self.game.decode(errors="replace")

    def load(self, database: apsw.Connection) -> Stored:
        """Return the match, or the reason for which it cannot be read."""
        tokens = self._tokens(database)
        try:
            return self._load(tokens)
        except (TypeError, ValueError) as error:
            reason = self.damage or f"its stored row is unreadable: {error}"
        try:
            seats = orjson.loads(self.seats)
        except ValueError:
            seats = None
        players = players_in(seats) or tuple(token.nick for token in tokens)
        return DamagedMatch(self.id, players, tokens, reason)

    def _load(self, tokens: tuple[SeatToken, ...]) -> SavedMatch:
        if self.damage is not None:
            raise ValueError(self.damage)
        terms, seats = orjson.loads(self.terms), tuple(orjson.loads(self.seats))
        begun = MatchStarted(self.game.decode(), terms, seats, self.secret)
        if self.ended is not None:
            if self.history is None:
                raise ValueError("the operator ended it, because it could not be replayed")
            history = tuple(MatchEvent(self.id, *event) for event in orjson.loads(self.history))
            return SavedMatch(begun, history, tokens, ended=True)
        history = tuple(MatchEvent(*event) for event in self.events)
        pause_holds = self.paused_after is not None and self.last_entry <= self.paused_after
        return SavedMatch(begun, history, tokens, self.paused_at if pause_holds else None)

    def _tokens(self, database: apsw.Connection) -> tuple[SeatToken, ...]:
        rows = database.execute(_TOKENS, (self.id,))
        return tuple(
            SeatToken(game, nick.decode(errors="replace"), digest) for game, nick, digest in rows
        )


def _unfinished(database: apsw.Connection) -> list[Stored]:
    matches = [_StoredMatch(*row) for row in database.execute(_UNFINISHED)]
    _read_journal(database, matches)
    return [match.load(database) for match in matches]


def _read_journal(database: apsw.Connection, matches: list[_StoredMatch]) -> None:
    """Give the matches their events, or the reason for which some are missing: in one scan."""
    by_game = {match.id: match for match in matches}
    unlisted: list[journal.Entry] = []
    for entry in journal.read(database, min((match.first for match in matches), default=0)):
        for event in entry.events:
            match = by_game.get(event[0])
            if match is not None:
                match.events.append(event)
                match.last_entry = entry.id
        if entry.error is not None and entry.games is None:
            unlisted.append(entry)
        for game in entry.games or ():
            if game in by_game:
                by_game[game].damage = entry.error
    for entry in unlisted:
        for match in matches:
            # A match with later events is complete if they follow the earlier ones without a gap,
            # which a replay finds out.
            if match.first <= entry.id and match.last_entry < entry.id:
                match.damage = match.damage or entry.error
