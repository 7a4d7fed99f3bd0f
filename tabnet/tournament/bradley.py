"""Ratings: the Bradley-Terry model, with a covariance that knows of mirrored pairs. Pure.

A bot that is d stronger than another wins 1 / (1 + e^-d) of the points. The games of a pair have
the same throws, so they are not independent: what varies is measured between pairs, never between
games (a sandwich, the pairs its clusters). Two weak assumptions keep everything finite. Strengths
are spread with a standard deviation of `SPREAD`, which decides alone where no games do. And where
all pairs of two bots ended alike, one more stands beside them, spread evenly over all results;
but not where one has won them all and results of others show how far the two are apart.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from tabnet.tournament.likelihood import ELO, rounded
from tabnet.tournament.links import Pairs, groups, met, scored

SPREAD: Final = 800 / ELO
CLOSE: Final = 1e-9
MOST_STEPS: Final = 100

Covariance = tuple[tuple[float, ...], ...]
Matrix = list[list[float]]


@frozen
class Ratings:
    """Elo of some bots, in the order in which they were named; the mean is 0."""

    elo: tuple[float, ...]
    covariance: Covariance

    def deviation(self, one: int) -> float:
        """The standard deviation of a rating."""
        return math.sqrt(max(self.covariance[one][one], 0))

    def difference(self, one: int, other: int) -> float:
        """By how many standard deviations one is rated above another."""
        var = self.covariance
        square = var[one][one] + var[other][other] - 2 * var[one][other]
        return (self.elo[one] - self.elo[other]) / math.sqrt(square)


def ratings(names: Sequence[str], pairs: Pairs) -> Ratings:
    """The ratings of these bots, the likeliest ones."""
    duels = _duels(names, pairs)
    strength = [0.0] * len(names)
    furthest, steps = math.inf, 0
    while furthest > CLOSE and steps < MOST_STEPS:
        step = _step(strength, duels)
        furthest = max(step) - min(step)
        # shortened, because a first step may go too far; the last ones are hardly touched
        short = math.log1p(furthest) / furthest if furthest else 1.0
        strength = [s + short * d for s, d in zip(strength, step, strict=True)]
        steps += 1
    fitted = len(names) - len(groups(names, met(names, pairs)))
    return Ratings(tuple(rounded(s * ELO) for s in strength), _covariance(strength, duels, fitted))


@frozen
class _Duel:
    """What two bots have scored against each other."""

    one: int
    other: int
    clusters: Mapping[tuple[float, int], float]
    """How often the one has scored so much in a pair of which so many games have been played."""

    def share(self, strength: Sequence[float]) -> float:
        """What the one should score in a game."""
        return 1 / (1 + math.exp(strength[self.other] - strength[self.one]))

    def pairs(self) -> float:
        return sum(self.clusters.values())

    def games(self) -> float:
        return sum(games * times for (_, games), times in self.clusters.items())

    def surplus(self, share: float) -> float:
        """By how much the one has scored more than it should."""
        return sum((won - games * share) * times for (won, games), times in self.clusters.items())

    def spread(self, share: float) -> float:
        """The sum of the squares of that, pair by pair."""
        return sum(
            (won - games * share) ** 2 * times for (won, games), times in self.clusters.items()
        )


def _duels(names: Sequence[str], pairs: Pairs) -> list[_Duel]:
    level = {
        name: number
        for number, group in enumerate(groups(names, scored(names, pairs)))
        for name in group
    }
    duels: list[_Duel] = []
    for (one, other), scores in pairs.items():
        clusters = Counter[tuple[float, int]]((sum(pair), len(pair)) for pair in scores.values())
        duel = _Duel(names.index(one), names.index(other), dict(sorted(clusters.items())))
        shares = {won / games for won, games in clusters}
        bounded = level[one] == level[other] and shares in ({0}, {1})
        duels.append(duel if len(shares) > 1 or bounded else _varied(duel))
    return duels


def _varied(duel: _Duel) -> _Duel:
    """With one more pair, spread evenly over all results."""
    clusters = defaultdict(float, duel.clusters)
    for points in range(5):
        clusters[points / 2, 2] += 1 / 5
    return evolve(duel, clusters=clusters)


def _step(strength: Sequence[float], duels: Sequence[_Duel]) -> list[float]:
    """Newton's step to the likeliest strengths."""
    slope = [-s / SPREAD**2 for s in strength]
    for duel in duels:
        surplus = duel.surplus(duel.share(strength))
        slope[duel.one] += surplus
        slope[duel.other] -= surplus
    return [_dot(row, slope) for row in _inverse(_curvature(strength, duels))]


def _curvature(strength: Sequence[float], duels: Sequence[_Duel]) -> Matrix:
    shares = ((duel, duel.share(strength)) for duel in duels)
    return _laplacian(
        len(strength), [(duel, duel.games() * share * (1 - share)) for duel, share in shares]
    )


def _covariance(strength: Sequence[float], duels: Sequence[_Duel], fitted: int) -> Covariance:
    """Of the ratings less their mean: the inverse curvature on both sides of the slopes' spread."""
    size = len(strength)
    # pairs stray less from the strengths fitted to them than from the true ones: by about this
    pairs = sum(duel.pairs() for duel in duels)
    larger = pairs / (pairs - fitted) if fitted else 1.0
    spread = _laplacian(
        size, [(duel, larger * duel.spread(duel.share(strength))) for duel in duels]
    )
    bread = _inverse(_curvature(strength, duels))
    half = [[_dot(row, column) for column in spread] for row in bread]
    whole = [[_dot(row, column) * ELO**2 for column in bread] for row in half]
    means = [sum(row) / size for row in whole]
    mean = sum(means) / size
    return tuple(
        tuple(value - means[i] - means[j] + mean for j, value in enumerate(row))
        for i, row in enumerate(whole)
    )


def _laplacian(size: int, weights: Sequence[tuple[_Duel, float]]) -> Matrix:
    """The matrix to which each duel adds its weight where it moves two strengths apart."""
    matrix = [[float(i == j) / SPREAD**2 for j in range(size)] for i in range(size)]
    for duel, weight in weights:
        matrix[duel.one][duel.one] += weight
        matrix[duel.other][duel.other] += weight
        matrix[duel.one][duel.other] -= weight
        matrix[duel.other][duel.one] -= weight
    return matrix


def _inverse(matrix: Matrix) -> Matrix:
    """Of a positive definite matrix: no rows have to be exchanged."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i and (factor := rows[j][i]):
                rows[j] = [a - factor * b for a, b in zip(rows[j], pivot, strict=True)]
    return [row[size:] for row in rows]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
