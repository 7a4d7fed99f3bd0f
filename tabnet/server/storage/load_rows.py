"""Loads the rows that are stored in the database. An unreadable row costs only itself."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_network
from typing import Any, TypeAlias, TypeVar

import apsw
import orjson
from attrs import define, field

from tabnet.server.core import rows
from tabnet.server.core.rows_of_matches import read_nicks
from tabnet.server.storage import journal

Stored: TypeAlias = rows.SavedMatch | rows.DamagedMatch
R = TypeVar("R")

# Text columns are read as blobs: SQLite does not check that text is UTF-8.
_ACCOUNTS = "SELECT CAST(nick AS BLOB), salt, digest FROM accounts ORDER BY nick"
_LOGIN_NETWORKS = """
SELECT CAST(nick AS BLOB), CAST(networks AS BLOB) FROM login_networks ORDER BY nick
"""
_BANS = "SELECT CAST(nick AS BLOB), CAST(reason AS BLOB) FROM bans ORDER BY nick"
_ADDRESS_BANS = """
SELECT CAST(network AS BLOB), CAST(reason AS BLOB) FROM address_bans ORDER BY network
"""
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
_ROOMS = "SELECT CAST(room AS BLOB), CAST(game AS BLOB) FROM rooms ORDER BY room"
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


def load_all(database: apsw.Connection) -> rows.Saved:
    """Return everything that a server needs to go on, as it is at one moment."""
    with database:
        reader = _Reader(database)
        matches = _load_unfinished(database)
        saved = rows.Saved(
            accounts=reader.rows("accounts", _ACCOUNTS, _make_account),
            login_networks=reader.rows("login_networks", _LOGIN_NETWORKS, _make_login_networks),
            bans=reader.rows("bans", _BANS, _make_ban),
            address_bans=reader.rows("address_bans", _ADDRESS_BANS, _make_address_ban),
            tables=reader.rows("tables", _TABLES, _make_table),
            tokens=reader.rows("tokens", _TOKENS_OF_TABLES, _make_token),
            rooms=reader.rows("rooms", _ROOMS, _make_room),
            matches=tuple(match for match in matches if isinstance(match, rows.SavedMatch)),
            standings=reader.rows("standings", _STANDINGS, _make_standing),
            damaged=tuple(match for match in matches if isinstance(match, rows.DamagedMatch)),
            unreadable=tuple(reader.unreadable),
        )
    return saved  # noqa: RET504 - for mypy, `with` may swallow an exception


def find_match(database: apsw.Connection, wanted: str | bytes) -> Stored | None:
    """Return a match, finished or not, by its id or by the digest of one of its tokens."""
    with database:
        if isinstance(wanted, bytes):
            wanted = database.execute("SELECT game FROM tokens WHERE digest = ?", (wanted,)).get
        row: Any = database.execute(f"{_MATCHES} WHERE game = ?", (wanted,)).fetchone()
        match = None if row is None else _StoredMatch(*row)
        if match is not None and match.ended is None:
            _read_journal(database, [match])
        stored = None if match is None else match.load(database)
    return stored  # noqa: RET504 - likewise


@define
class _Reader:
    """Reads tables, and collects the rows that are unreadable."""

    database: apsw.Connection
    unreadable: list[rows.UnreadableRow] = field(factory=list)

    def rows(self, table: str, query: str, load: Callable[..., R]) -> tuple[R, ...]:
        """Return the readable rows of a table; the first column is the key."""
        readable = []
        for columns in self.database.execute(query):
            try:
                readable.append(load(*columns))
            except (TypeError, ValueError) as error:
                key = bytes(columns[0]).decode(errors="replace")
                self.unreadable.append(rows.UnreadableRow(table, key, str(error)))
        return tuple(readable)


def _make_account(nick: bytes, salt: bytes, digest: bytes) -> rows.Registered:
    return rows.Registered(nick.decode(), salt, digest)


def _make_login_networks(nick: bytes, networks: bytes) -> rows.LoginNetworks:
    return rows.LoginNetworks(nick.decode(), tuple(orjson.loads(networks)))


def _make_ban(nick: bytes, reason: bytes) -> rows.Banned:
    return rows.Banned(nick.decode(), reason.decode())


def _make_address_ban(network: bytes, reason: bytes) -> rows.AddressBanned:
    return rows.AddressBanned(str(ip_network(network.decode())), reason.decode())


def _make_table(
    game: bytes, terms: bytes, players: bytes, invite: bytes | None, age_ms: int
) -> rows.SavedTable:
    waiting = rows.WaitingTable(
        game.decode(),
        orjson.loads(terms),
        tuple(orjson.loads(players)),
        None if invite is None else invite.decode(),
    )
    return rows.SavedTable(waiting, age_ms)


def _make_token(game: bytes, nick: bytes, digest: bytes) -> rows.SeatToken:
    return rows.SeatToken(game.decode(), nick.decode(), digest)


def _make_room(room: bytes, game: bytes | None) -> rows.RoomOpened:
    return rows.RoomOpened(room.decode(), None if game is None else game.decode())


def _make_standing(board: bytes, nick: bytes, *totals: Any) -> rows.StoredTotals:
    kind, size, group = orjson.loads(board)
    return rows.StoredTotals(kind, size, group, nick.decode(), *totals)


@define(eq=False)
class _StoredMatch:
    """A row of the table `matches`, and the events of the match in the journal."""

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
        tokens = tuple(
            rows.SeatToken(game, nick.decode(errors="replace"), digest)
            for game, nick, digest in database.execute(_TOKENS, (self.id,))
        )
        reason = self.damage
        if reason is None:
            try:
                return self._load(tokens)
            except (TypeError, ValueError) as error:
                reason = f"its stored row is unreadable: {error}"
        try:
            seats = orjson.loads(self.seats)
        except ValueError:
            seats = None
        players = read_nicks(seats) or tuple(token.nick for token in tokens)
        return rows.DamagedMatch(self.id, players, tokens, reason)

    def _load(self, tokens: tuple[rows.SeatToken, ...]) -> rows.SavedMatch:
        terms, seats = orjson.loads(self.terms), tuple(orjson.loads(self.seats))
        begun = rows.MatchStarted(self.game.decode(), terms, seats, self.secret)
        if self.ended is not None:
            if self.history is None:
                raise ValueError("the operator ended it, because it could not be replayed")
            history = tuple(
                rows.MatchEvent(self.id, *event) for event in orjson.loads(self.history)
            )
            return rows.SavedMatch(begun, history, tokens, ended=True)
        history = tuple(rows.MatchEvent(*event) for event in self.events)
        pause_holds = self.paused_after is not None and self.last_entry <= self.paused_after
        return rows.SavedMatch(begun, history, tokens, self.paused_at if pause_holds else None)


def _load_unfinished(database: apsw.Connection) -> list[Stored]:
    matches = [_StoredMatch(*row) for row in database.execute(_UNFINISHED)]
    _read_journal(database, matches)
    return [match.load(database) for match in matches]


def _read_journal(database: apsw.Connection, matches: list[_StoredMatch]) -> None:
    """Read the events of the matches in one scan, or the reason for which some are missing."""
    by_game = {match.id: match for match in matches}
    unlisted: list[journal.Entry] = []
    for entry in journal.read_entries(database, min((match.first for match in matches), default=0)):
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
            # A match with later events is complete if the numbers of its events have no gap; its
            # replay checks that.
            if match.first <= entry.id and match.last_entry < entry.id:
                match.damage = match.damage or entry.error
