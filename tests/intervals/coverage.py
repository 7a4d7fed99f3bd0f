"""Simulated round-robins, and the share of their intervals that hold the true strength."""

from __future__ import annotations

from random import Random
from statistics import NormalDist, mean, median

from attrs import define, field

from tabnet.tournament.stats.connectivity import Pairs
from tabnet.tournament.stats.elo_ratings import fit_ratings
from tests.tournament.made_results import apart, simulated

LUCK = 0.8
"""The part of the variance of a game that is luck, which mirroring turns to the other side."""

FIELDS = {
    "2 equal": [0, 0],
    "2, 300 Elo apart": [150, -150],
    "4 within 300 Elo": [150, 40, -40, -150],
    "4, one far above": [450, -150, -150, -150],
    "6, one far above": [500, -100, -100, -100, -100, -100],
    "11 within 1000 Elo": list(range(500, -501, -100)),
}
"""The true strengths of bots, the best first; their mean is 0."""
GAMES = ("independent", "alike", "mirrored")
"""How the games of a pair depend on each other: not at all, 90 % end alike, or luck cancels."""


@define
class Coverage:
    """The intervals of the ratings in many tournaments."""

    held: list[float] = field(factory=list)
    """The share of the bots whose interval holds the true strength, in each tournament."""
    best_held: list[bool] = field(factory=list)
    widths: list[float] = field(factory=list)

    def __str__(self) -> str:
        return f"{mean(self.held):.3f} {mean(self.best_held):.3f} {median(self.widths):5.0f}"


def measure(strengths: list[float], pairs: int, games: str, tournaments: int) -> Coverage:
    """Simulate round-robins with so many pairs of every two bots."""
    random, coverage = Random(5), Coverage()
    true = {f"bot {number:02}": strength for number, strength in enumerate(strengths)}
    for _ in range(tournaments):
        rated = fit_ratings(list(true), simulate(true, pairs, games, random))
        intervals = [rated.estimate(one) for one in range(len(true))]
        both = zip(intervals, strengths, strict=True)
        held = [interval.low < strength < interval.high for interval, strength in both]
        coverage.held.append(mean(held))
        coverage.best_held.append(held[0])
        coverage.widths.append((intervals[0].high - intervals[0].low) / 2)
    return coverage


def simulate(true: dict[str, float], pairs: int, games: str, random: Random) -> Pairs:
    """Return random scores of all bots against each other."""
    if games == "mirrored":
        return _simulate_mirrored(true, pairs, random)
    return simulated(true, pairs, 0.9 if games == "alike" else 0.0, random)


def _simulate_mirrored(true: dict[str, float], pairs: int, random: Random) -> Pairs:
    """Return scores of games in which the luck of the first one is against the other bot."""
    normal, names, scores = NormalDist(), sorted(true), {}
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            ahead = normal.inv_cdf(1 / (1 + 10 ** ((true[other] - true[one]) / 400)))
            played = scores[one, other] = {}
            for pair in range(pairs):
                luck = random.gauss(0, LUCK**0.5)
                rest = [random.gauss(0, (1 - LUCK) ** 0.5) for _ in range(2)]
                played[pair] = (
                    float(ahead + luck + rest[0] > 0),
                    float(ahead - luck + rest[1] > 0),
                )
    return apart(scores)
