"""Results -> scoreboards. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field, frozen

from tabnet.games import GAMES
from tabnet.protocol.frames import Score

BEST = 10
"""How many lines a scoreboard shows."""

Board = tuple[str, int | None, int | None]
"""Kind, size, group: each has a scoreboard of its own."""


@frozen
class PlayerTotals:
    """What a player has on one scoreboard."""

    victories: int = 0
    games: int = 0
    points: int = 0


@define
class Rankings:
    """Games, victories and points by player, on each scoreboard."""

    _boards: dict[Board, dict[str, PlayerTotals]] = field(factory=dict)

    def record(
        self, board: Board, players: list[str], winners: list[str], points: Iterable[int]
    ) -> None:
        """Count one finished match; `points` are in the order of the players."""
        scores = self._boards.setdefault(board, {})
        for nick, won in zip(players, points, strict=True):
            old = scores.get(nick, PlayerTotals())
            scores[nick] = PlayerTotals(
                old.victories + (nick in winners), old.games + 1, old.points + won
            )

    def restore(self, board: Board, nick: str, sums: PlayerTotals) -> None:
        """What a player had on a scoreboard."""
        self._boards.setdefault(board, {})[nick] = sums

    def best(self, board: Board) -> tuple[Score, ...]:
        """Most victories first; among equals who needed fewer games, then by nick.

        Where a win may be worth several points, most points come before all that.
        """
        by_points = GAMES[board[0]].ranks_points

        def place(line: tuple[str, PlayerTotals]) -> tuple[int, int, int, str]:
            nick, sums = line
            return -sums.points if by_points else 0, -sums.victories, sums.games, nick

        return tuple(
            Score(
                nick=nick,
                victories=sums.victories,
                games=sums.games,
                points=sums.points if by_points else None,
            )
            for nick, sums in sorted(self._boards.get(board, {}).items(), key=place)[:BEST]
        )
