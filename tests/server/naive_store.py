"""A second store, as simple as can be: a list of rows, and what it amounts to."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from tabnet.server.core.rows import (
    Banned,
    LoginNetworks,
    MatchEnded,
    MatchEvent,
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
    StoredTotals,
    Unseated,
    WaitingTable,
    WaitOver,
)


def of_kind(rows: Sequence[Row], kind: type) -> list:
    return [row for row in rows if isinstance(row, kind)]


def saved(rows: Sequence[Row]) -> Saved:
    """Return the rows that a store must load; the age of tables is 0 ms."""
    waiting = tables(rows)
    unfinished = [row.game for row in of_kind(rows, MatchStarted) if not ended(rows, row.game)]
    accounts = {row.nick: row for row in of_kind(rows, Registered)}
    logins = {row.nick: row for row in of_kind(rows, LoginNetworks)}
    bans = {row.nick: row for row in of_kind(rows, Banned)}
    return Saved(
        accounts=tuple(accounts[nick] for nick in sorted(accounts)),
        login_networks=tuple(logins[nick] for nick in sorted(logins)),
        bans=tuple(bans[nick] for nick in sorted(bans) if bans[nick].reason is not None),
        tables=tuple(SavedTable(table, 0) for table in waiting),
        tokens=tuple(token for table in waiting for token in tokens(rows, table.game)),
        matches=tuple(match(rows, game) for game in unfinished),
        standings=standings(rows),
        rooms=rooms(rows),
    )


def rooms(rows: Sequence[Row]) -> tuple[RoomOpened, ...]:
    latest = {row.room: row for row in rows if isinstance(row, RoomOpened | RoomClosed)}
    opened = [row for row in latest.values() if isinstance(row, RoomOpened)]
    return tuple(sorted(opened, key=lambda row: row.room.encode()))


def tables(rows: Sequence[Row]) -> list[WaitingTable]:
    found = {}
    for row in rows:
        if isinstance(row, WaitingTable):
            found[row.game] = row
        elif isinstance(row, WaitOver | MatchStarted):
            found.pop(row.game, None)
    return list(found.values())


def tokens(rows: Sequence[Row], game: str) -> tuple[SeatToken, ...]:
    found = {}
    for row in rows:
        if isinstance(row, SeatToken | Unseated) and row.game == game:
            found[row.nick] = row
        elif isinstance(row, WaitOver) and row.game == game:
            found.clear()
    return tuple(found[nick] for nick in sorted(found) if isinstance(found[nick], SeatToken))


def ended(rows: Sequence[Row], game: str) -> bool:
    return any(row.game == game for row in of_kind(rows, MatchEnded))


def match(rows: Sequence[Row], game: str) -> SavedMatch | None:
    about = [row for row in rows if getattr(row, "game", None) == game]
    begun = of_kind(about, MatchStarted)
    if not begun:
        return None
    last = [row for row in about if isinstance(row, MatchEvent | Paused)][-1:]
    return SavedMatch(
        begun[0],
        tuple(of_kind(about, MatchEvent)),
        tokens(rows, game),
        last[0].at if of_kind(last, Paused) and not ended(rows, game) else None,
        ended(rows, game),
    )


def standings(rows: Sequence[Row]) -> tuple[StoredTotals, ...]:
    sums: dict = {}
    for score in [score for row in of_kind(rows, MatchEnded) for score in row.scores]:
        key = score.kind, score.size, score.group, score.nick
        victories, games, points = sums.get(key, (0, 0, 0))
        sums[key] = victories + score.won, games + 1, points + score.points
    return in_order(tuple(StoredTotals(*key, *sums[key]) for key in sums))


def in_order(found: tuple[StoredTotals, ...]) -> tuple[StoredTotals, ...]:
    return tuple(sorted(found, key=repr))


def ageless(found: Saved) -> Saved:
    """Return loaded rows without ages of tables, and with standings in a fixed order."""
    assert all(0 <= table.age_ms < 60_000 for table in found.tables)
    tables = tuple(evolve(table, age_ms=0) for table in found.tables)
    return evolve(found, tables=tables, standings=in_order(found.standings))
