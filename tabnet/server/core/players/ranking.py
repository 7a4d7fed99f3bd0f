"""Leaderboards: victories, games and points of every player. Pure.

Each leaderboard is kept sorted, so that its best players are found quickly at any size. A lost game
can move any player up to the best ones, so all players are kept in order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from attrs import define, field, frozen

from tabnet.games import GAMES
from tabnet.protocol.frames import RankedPlayer
from tabnet.server.core.ordered_collections import SortedValues

BEST = 10
"""How many lines of a leaderboard are shown."""

LeaderboardKey: TypeAlias = tuple[str, int | None, int | None]
"""Kind, size, group: each has a leaderboard of its own."""


@frozen
class PlayerTotals:
    """The totals of one player on one leaderboard."""

    victories: int = 0
    games: int = 0
    points: int = 0


@define
class Leaderboard:
    """The totals of every player on one leaderboard, in order.

    Most victories come first; among equals the player with fewer games, then the smaller nick.
    Where a win may be worth several points, most points come before all that.
    """

    by_points: bool
    totals: dict[str, PlayerTotals] = field(factory=dict)
    _order: SortedValues[tuple[int, int, int, str]] = field(factory=SortedValues, eq=False)

    def set(self, nick: str, totals: PlayerTotals) -> None:
        """Replace the totals of a player."""
        if nick in self.totals:
            self._order.remove(self._make_sort_key(nick))
        self.totals[nick] = totals
        self._order.add(self._make_sort_key(nick))

    def _make_sort_key(self, nick: str) -> tuple[int, int, int, str]:
        totals = self.totals[nick]
        points = totals.points if self.by_points else 0
        return -points, -totals.victories, totals.games, nick

    def list_best(self) -> tuple[RankedPlayer, ...]:
        """Return the best players, best first."""
        best = {nick: self.totals[nick] for *_, nick in self._order.list_smallest(BEST)}
        return tuple(
            RankedPlayer(
                nick=nick,
                victories=totals.victories,
                games=totals.games,
                points=totals.points if self.by_points else None,
            )
            for nick, totals in best.items()
        )


@define
class Rankings:
    """Games, victories and points by player, on each leaderboard."""

    _leaderboards: dict[LeaderboardKey, Leaderboard] = field(factory=dict)

    def record(
        self, key: LeaderboardKey, players: list[str], winners: list[str], points: Iterable[int]
    ) -> None:
        """Count one finished match; `points` are in the order of the players."""
        leaderboard = self._get_leaderboard(key)
        for nick, gained in zip(players, points, strict=True):
            old = leaderboard.totals.get(nick, PlayerTotals())
            victories = old.victories + (nick in winners)
            leaderboard.set(nick, PlayerTotals(victories, old.games + 1, old.points + gained))

    def restore(self, key: LeaderboardKey, nick: str, totals: PlayerTotals) -> None:
        """Set the totals of a player on a leaderboard."""
        self._get_leaderboard(key).set(nick, totals)

    def list_best(self, key: LeaderboardKey) -> tuple[RankedPlayer, ...]:
        """Return the best players of a leaderboard, best first."""
        leaderboard = self._leaderboards.get(key)
        return leaderboard.list_best() if leaderboard else ()

    def _get_leaderboard(self, key: LeaderboardKey) -> Leaderboard:
        return self._leaderboards.setdefault(key, Leaderboard(GAMES[key[0]].ranks_points))
