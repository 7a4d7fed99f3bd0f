"""Results -> scoreboards. Pure."""

from __future__ import annotations

from attrs import define, field

from tabnet.protocol.frames import Score

BEST = 10
"""How many lines a scoreboard shows."""

Board = tuple[str, int | None, int | None]
"""Kind, size, group: each has a scoreboard of its own."""


@define
class Rankings:
    """Games and victories by player, on each scoreboard."""

    _boards: dict[Board, dict[str, tuple[int, int]]] = field(factory=dict)

    def record(self, board: Board, players: list[str], winners: list[str]) -> None:
        """Count one finished match."""
        scores = self._boards.setdefault(board, {})
        for nick in players:
            victories, games = scores.get(nick, (0, 0))
            scores[nick] = (victories + (nick in winners), games + 1)

    def restore(self, board: Board, nick: str, victories: int, games: int) -> None:
        """What a player had on a scoreboard."""
        self._boards.setdefault(board, {})[nick] = (victories, games)

    def best(self, board: Board) -> tuple[Score, ...]:
        """Most victories first; among equals who needed fewer games, then by nick."""
        scores = self._boards.get(board, {})
        order = sorted(scores, key=lambda nick: (-scores[nick][0], scores[nick][1], nick))
        return tuple(
            Score(nick=nick, victories=scores[nick][0], games=scores[nick][1])
            for nick in order[:BEST]
        )
