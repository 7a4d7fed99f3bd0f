"""The scores of every bot against every other one. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from attrs import define

from tabnet.tournament.records.entrants_and_results import Result, select_counted_results


@define
class WinDrawLoss:
    """The numbers of games that a bot has won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points: 1 for a victory, 1/2 for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """The share of the points; 1/2 without a game."""
        return self.points / self.games if self.games else 0.5

    def __str__(self) -> str:
        return f"{self.points:g}/{self.games}" if self.games else ""


Crosstable = Mapping[tuple[str, str], WinDrawLoss]


def make_crosstable(results: Iterable[Result], names: Sequence[str]) -> Crosstable:
    """Count the scores of each bot against each other one, in the games that count.

    The better place wins, and bots that share a place have drawn.
    """
    counts = Counter(
        (result.game.seats[one], result.game.seats[other], result.score_against(one, other))
        for result in select_counted_results(results)
        for one, other in permutations(range(len(result.game.seats)), 2)
    )
    return {
        (one, other): WinDrawLoss(*(counts[one, other, score] for score in (1, 0.5, 0)))
        for one, other in permutations(names, 2)
    }
