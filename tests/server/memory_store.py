"""A store in plain Python, as a model of any database.

Everything goes through JSON once, as in a file. Rows that cannot follow earlier rows are refused:
a match is stored from its beginning to its end, without a gap.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from copy import copy
from functools import singledispatchmethod
from typing import Any, TypeVar

from attrs import asdict, define, evolve, field

from tabnet.server.core.rows import (
    AddressBanned,
    Banned,
    LoginNetworks,
    MatchEnded,
    MatchEvent,
    MatchScore,
    MatchStarted,
    Paused,
    Registered,
    RoomClosed,
    RoomOpened,
    Row,
    Saved,
    SavedMatch,
    SavedTable,
    SeatToken,
    SetAsideEnded,
    StoredTotals,
    Unseated,
    WaitingTable,
    WaitOver,
)

R = TypeVar("R")


def plain(value: Any) -> Any:
    """Return the value after a way through JSON."""
    return json.loads(json.dumps(value))


def in_order(rows: dict[str, R]) -> tuple[R, ...]:
    """Return the rows in the order of their keys."""
    return tuple(rows[key] for key in sorted(rows, key=str.encode))


def saved(rows: Iterable[Row]) -> Saved:
    """Return the rows that a store must load after these; the age of tables is 0 ms."""
    store = MemoryStore()
    store.keep(rows, 0)
    return store.saved(0)


def without_ages(found: Saved) -> Saved:
    """Return loaded rows without ages of tables, and with standings in a fixed order."""
    assert all(0 <= table.age_ms < 60_000 for table in found.tables)
    tables = tuple(evolve(table, age_ms=0) for table in found.tables)
    return evolve(found, tables=tables, standings=tuple(sorted(found.standings, key=repr)))


@define
class MemoryStore:
    """The stored rows of one server."""

    now: int = 0
    accounts: dict[str, Registered] = field(factory=dict)
    login_networks: dict[str, LoginNetworks] = field(factory=dict)
    bans: dict[str, Banned] = field(factory=dict)
    address_bans: dict[str, AddressBanned] = field(factory=dict)
    tables: dict[str, WaitingTable] = field(factory=dict)
    opened: dict[str, int] = field(factory=dict)
    """When each table was first kept."""
    tokens: dict[tuple[str, str], SeatToken] = field(factory=dict)
    """By game and nick."""
    matches: dict[str, MatchStarted] = field(factory=dict)
    histories: dict[str, list[MatchEvent]] = field(factory=dict)
    paused: dict[str, int] = field(factory=dict)
    ended: dict[str, MatchEnded] = field(factory=dict)
    set_aside_ended: set[str] = field(factory=set)
    standings: dict[tuple[Any, ...], StoredTotals] = field(factory=dict)
    rooms: dict[str, RoomOpened] = field(factory=dict)

    def keep(self, rows: Iterable[Row], now: int) -> None:
        """Keep them, in their order."""
        self.now = now
        for row in rows:
            self._keep(row)

    @singledispatchmethod
    def _keep(self, row: Row) -> None:
        raise TypeError(row)

    @_keep.register
    def _(self, row: Registered) -> None:
        self.accounts[row.nick] = row

    @_keep.register
    def _(self, row: LoginNetworks) -> None:
        self.login_networks[row.nick] = row

    @_keep.register
    def _(self, row: Banned) -> None:
        self.bans.pop(row.nick, None)
        if row.reason is not None:
            self.bans[row.nick] = row

    @_keep.register
    def _(self, row: AddressBanned) -> None:
        self.address_bans.pop(row.network, None)
        if row.reason is not None:
            self.address_bans[row.network] = row

    @_keep.register
    def _(self, row: WaitingTable) -> None:
        players = tuple(plain(row.players))
        self.tables[row.game] = evolve(row, terms=plain(row.terms), players=players)
        self.opened.setdefault(row.game, self.now)

    @_keep.register
    def _(self, row: WaitOver) -> None:
        self.tables.pop(row.game, None)
        for seat in self._seats_of(row.game):
            del self.tokens[seat]

    @_keep.register
    def _(self, row: RoomOpened) -> None:
        self.rooms[row.room] = row

    @_keep.register
    def _(self, row: RoomClosed) -> None:
        self.rooms.pop(row.room, None)

    @_keep.register
    def _(self, row: SeatToken) -> None:
        self.tokens[row.game, row.nick] = row

    @_keep.register
    def _(self, row: Unseated) -> None:
        self.tokens.pop((row.game, row.nick), None)

    @_keep.register
    def _(self, row: MatchStarted) -> None:
        assert row.game not in self.matches
        self.tables.pop(row.game, None)
        self.matches[row.game] = evolve(row, terms=plain(row.terms), seats=tuple(plain(row.seats)))
        self.histories[row.game] = []

    @_keep.register
    def _(self, row: MatchEvent) -> None:
        history = self.histories[row.game]
        assert row.game not in self.ended
        assert row.seq == len(history) + 1
        history.append(evolve(row, detail=plain(row.detail)))
        self.paused.pop(row.game, None)

    @_keep.register
    def _(self, row: MatchEnded) -> None:
        assert row.game not in self.ended
        whole = [evolve(event, detail=plain(event.detail)) for event in row.history]
        assert whole == self.histories[row.game]
        self.ended[row.game] = row
        self.paused.pop(row.game, None)
        for score in row.scores:
            self._count(score)

    @_keep.register
    def _(self, row: Paused) -> None:
        self.paused[row.game] = row.at

    @_keep.register
    def _(self, row: SetAsideEnded) -> None:
        assert row.game in self.matches
        assert row.game not in self.ended
        self.set_aside_ended.add(row.game)

    def copy(self) -> MemoryStore:
        """Return a copy for another server."""
        parts = {name: copy(part) for name, part in asdict(self, recurse=False).items()}
        parts["histories"] = {game: [*history] for game, history in self.histories.items()}
        return MemoryStore(**parts)

    def _count(self, score: MatchScore) -> None:
        board = (score.kind, score.size, score.group)
        line = self.standings.get((*board, score.nick), StoredTotals(*board, score.nick, 0, 0, 0))
        self.standings[*board, score.nick] = evolve(
            line,
            victories=line.victories + score.won,
            games=line.games + 1,
            points=line.points + score.points,
        )

    def _seats_of(self, game: str) -> list[tuple[str, str]]:
        return sorted(seat for seat in self.tokens if seat[0] == game)

    def saved(self, now: int) -> Saved:
        """Return the rows from which the next server is restored."""
        return Saved(
            accounts=in_order(self.accounts),
            login_networks=in_order(self.login_networks),
            bans=in_order(self.bans),
            address_bans=in_order(self.address_bans),
            tables=tuple(
                SavedTable(table, now - self.opened[game]) for game, table in self.tables.items()
            ),
            tokens=tuple(
                self.tokens[seat] for game in self.tables for seat in self._seats_of(game)
            ),
            matches=tuple(
                self._match(game)
                for game in self.matches
                if game not in self.ended and game not in self.set_aside_ended
            ),
            standings=tuple(sorted(self.standings.values(), key=repr)),
            rooms=in_order(self.rooms),
        )

    def find(self, wanted: str | bytes) -> SavedMatch | None:
        """Return a match, finished or not, by its id or by the digest of one of its tokens."""
        games = [game for (game, _), row in self.tokens.items() if row.token == wanted]
        game = games[0] if games else wanted
        return self._match(game) if game in self.matches else None

    def _match(self, game: str) -> SavedMatch:
        return SavedMatch(
            begun=self.matches[game],
            history=tuple(self.histories[game]),
            tokens=tuple(self.tokens[seat] for seat in self._seats_of(game)),
            paused_at=self.paused.get(game),
            ended=game in self.ended,
        )
