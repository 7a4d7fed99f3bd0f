"""A store in plain Python: what any database has to make of the rows that it is given.

Everything goes through JSON once, as it would in a file, and rows that cannot follow those before
them are not taken: a match is kept from its beginning to its end, without a gap.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from attrs import define, evolve, field

from tabnet.server.records import (
    Banned,
    Begun,
    Ended,
    Happened,
    Paused,
    Registered,
    Row,
    Saved,
    SavedMatch,
    SavedTable,
    Score,
    Seated,
    Standing,
    Unseated,
    Waiting,
    WaitOver,
)


def plain(value: Any) -> Any:
    """What JSON makes of it."""
    return json.loads(json.dumps(value))


@define
class Kept:
    """What was kept of one server."""

    accounts: dict[str, Registered] = field(factory=dict)
    bans: dict[str, Banned] = field(factory=dict)
    tables: dict[str, Waiting] = field(factory=dict)
    opened: dict[str, int] = field(factory=dict)
    """When each table was first kept."""
    tokens: dict[tuple[str, str], Seated] = field(factory=dict)
    """By game and nick."""
    matches: dict[str, Begun] = field(factory=dict)
    histories: dict[str, list[Happened]] = field(factory=dict)
    paused: dict[str, int] = field(factory=dict)
    ended: dict[str, Ended] = field(factory=dict)
    standings: dict[tuple[Any, ...], Standing] = field(factory=dict)

    def keep(self, rows: Iterable[Row], now: int) -> None:
        """Keep them, in their order."""
        for row in rows:
            self._keep(row, now)

    def _keep(self, row: Row, now: int) -> None:
        match row:
            case Registered(nick=nick):
                self.accounts[nick] = row
            case Banned(nick=nick, reason=None):
                self.bans.pop(nick, None)
            case Banned(nick=nick):
                self.bans[nick] = row
            case Waiting(game=game):
                self.tables[game] = evolve(
                    row, terms=plain(row.terms), players=tuple(plain(row.players))
                )
                self.opened.setdefault(game, now)
            case WaitOver(game=game):
                del self.tables[game]
                for seat in self._seats_of(game):
                    del self.tokens[seat]
            case Seated(game=game, nick=nick):
                self.tokens[game, nick] = row
            case Unseated(game=game, nick=nick):
                del self.tokens[game, nick]
            case Begun(game=game):
                assert game not in self.matches
                self.tables.pop(game, None)
                self.matches[game] = evolve(
                    row, terms=plain(row.terms), seats=tuple(plain(row.seats))
                )
                self.histories[game] = []
            case Happened(game=game):
                history = self.histories[game]
                assert game not in self.ended
                assert row.seq == len(history) + 1
                history.append(evolve(row, detail=plain(row.detail)))
                self.paused.pop(game, None)
            case Ended(game=game):
                assert game not in self.ended
                assert plain_history(row.history) == self.histories[game]
                self.ended[game] = row
                for score in row.scores:
                    self._count(score)
            case Paused(game=game):
                self.paused[game] = row.at

    def _count(self, score: Score) -> None:
        board = (score.kind, score.size, score.group)
        line = self.standings.get((*board, score.nick), Standing(*board, score.nick, 0, 0, 0))
        self.standings[*board, score.nick] = evolve(
            line,
            victories=line.victories + score.won,
            games=line.games + 1,
            points=line.points + score.points,
        )

    def _seats_of(self, game: str) -> list[tuple[str, str]]:
        return [seat for seat in self.tokens if seat[0] == game]

    def saved(self, now: int) -> Saved:
        """What the next server needs."""
        return Saved(
            accounts=tuple(self.accounts.values()),
            bans=tuple(self.bans.values()),
            tables=tuple(
                SavedTable(table, now - self.opened[game]) for game, table in self.tables.items()
            ),
            tokens=tuple(
                self.tokens[seat] for game in self.tables for seat in self._seats_of(game)
            ),
            matches=tuple(self._match(game) for game in self.matches if game not in self.ended),
            standings=tuple(self.standings.values()),
        )

    def find(self, game: str) -> SavedMatch | None:
        """One match, finished or not."""
        return self._match(game) if game in self.matches else None

    def find_token(self, digest: bytes) -> SavedMatch | None:
        """The match in which a seat has this token."""
        games = [game for (game, _), row in self.tokens.items() if row.token == digest]
        return self.find(games[0]) if games else None

    def _match(self, game: str) -> SavedMatch:
        return SavedMatch(
            begun=self.matches[game],
            history=tuple(self.histories[game]),
            tokens=tuple(self.tokens[seat] for seat in self._seats_of(game)),
            paused_at=self.paused.get(game),
        )


def plain_history(history: Iterable[Happened]) -> list[Happened]:
    """A history as it is read back."""
    return [evolve(row, detail=plain(row.detail)) for row in history]
