"""Ratings: the Bradley-Terry model, with a covariance for mirrored games. Pure.

A bot that is d stronger than another wins 1 / (1 + e^-d) of the points. Among three or four, every
two bots play for a point of their own, and the better place wins it. The games of a pair or group
have the same throws, and the points of a game have the same course: they are not independent. The
variance is therefore measured between groups only (a sandwich estimator with the groups as
clusters).

Two weak assumptions keep everything finite. Strengths have a prior standard deviation of `SPREAD`,
which decides alone where there are no games. If all groups of two bots ended alike for them, a
group is added, spread evenly over all results, unless one bot has won them all and other results
show the difference. It counts as a whole group if one of them has no other opponent. Otherwise it
counts as a share of one, so that the groups added for a bot are about one group together.

The intervals use Student's t distribution, with one degree of freedom less than the groups of a
bot. No interval is wider than without any games. `python -m tests.intervals` measures in how many
simulated tournaments they hold the true strengths.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from operator import mul
from typing import Final

from attrs import frozen

from tabnet.tournament.records.entrants_and_results import Group
from tabnet.tournament.stats.connectivity import (
    Links,
    Pairs,
    find_connected_groups,
    link_opponents,
    link_unbeaten,
)
from tabnet.tournament.stats.intervals import (
    Z95,
    Estimate,
    compute_normal_cdf,
    narrow,
    widen,
)
from tabnet.tournament.stats.pair_scores import PAIR
from tabnet.tournament.stats.sprt_likelihood import ELO, round_elo

SPREAD: Final = 800 / ELO
FREEDOM: Final = 2
"""The least degrees of freedom: with one, an interval would say nothing."""
CLOSE: Final = 1e-9
MOST_STEPS: Final = 100

Covariance = tuple[tuple[float, ...], ...]
Matrix = list[list[float]]


@frozen
class Ratings:
    """The Elo of bots in a given order; the mean is 0."""

    elo: tuple[float, ...]
    covariance: Covariance
    freedom: tuple[float, ...]
    """The degrees of freedom of each deviation."""

    def compute_deviation(self, one: int) -> float:
        return math.sqrt(max(self.covariance[one][one], 0))

    def compute_difference(self, one: int, other: int) -> float:
        """Return the difference of two ratings in standard deviations."""
        return (self.elo[one] - self.elo[other]) / self._compute_deviation_between(one, other)

    def estimate(self, one: int) -> Estimate:
        """Return the rating of a bot."""
        widest = Z95 * ELO * SPREAD * math.sqrt(1 - 1 / len(self.elo))
        reach = min(widest, widen(Z95, self.freedom[one]) * self.compute_deviation(one))
        return _make_estimate(self.elo[one], reach)

    def estimate_difference(self, one: int, other: int) -> Estimate:
        """Return how much stronger a bot is than another."""
        widest = Z95 * ELO * SPREAD * math.sqrt(2)
        freedom = min(self.freedom[one], self.freedom[other])
        reach = min(widest, widen(Z95, freedom) * self._compute_deviation_between(one, other))
        return _make_estimate(self.elo[one] - self.elo[other], reach)

    def compute_superiority(self, one: int, other: int) -> float:
        """Return the probability that a bot is stronger than another."""
        freedom = min(self.freedom[one], self.freedom[other])
        return compute_normal_cdf(narrow(self.compute_difference(one, other), freedom))

    def _compute_deviation_between(self, one: int, other: int) -> float:
        var = self.covariance
        return math.sqrt(var[one][one] + var[other][other] - 2 * var[one][other])


def _make_estimate(value: float, reach: float) -> Estimate:
    return Estimate(round_elo(value), round_elo(value - reach), round_elo(value + reach))


@frozen
class _Score:
    """The score of a bot against another in a group of games, or in several."""

    one: int
    other: int
    won: float
    games: float

    def expect_share(self, strength: Sequence[float]) -> float:
        """Return the expected score of the first bot in a game."""
        return 1 / (1 + math.exp(strength[self.other] - strength[self.one]))


_Played = Mapping[tuple[_Score, ...], float]
"""The number of groups with these scores, for every two of its bots."""


def fit_ratings(names: Sequence[str], pairs: Pairs) -> Ratings:
    """Return the most likely ratings of these bots."""
    links = link_opponents(names, pairs)
    played = _collect_scores(names, pairs, links)
    sums = _sum_scores(played)
    strength = [0.0] * len(names)
    furthest, steps = math.inf, 0
    while furthest > CLOSE and steps < MOST_STEPS:
        step = _compute_step(strength, sums)
        furthest = max(step) - min(step)
        # shortened, because a first step may go too far; the last ones are hardly touched
        short = math.log1p(furthest) / furthest if furthest else 1.0
        strength = [s + short * d for s, d in zip(strength, step, strict=True)]
        steps += 1
    fitted = len(names) - len(find_connected_groups(names, links))
    return Ratings(
        tuple(round_elo(s * ELO) for s in strength),
        _compute_covariance(strength, played, sums, fitted),
        _count_freedom(names, pairs),
    )


def _count_freedom(names: Sequence[str], pairs: Pairs) -> tuple[float, ...]:
    """Return the degrees of freedom of each bot: its groups less one, but at least `FREEDOM`."""
    groups: dict[str, set[Group]] = {name: set() for name in names}
    for opponents, played in pairs.items():
        for name in opponents:
            groups[name].update(played)
    return tuple(max(len(groups[name]) - 1, FREEDOM) for name in names)


def _collect_scores(names: Sequence[str], pairs: Pairs, links: Links) -> _Played:
    level = {
        name: number
        for number, group in enumerate(find_connected_groups(names, link_unbeaten(names, pairs)))
        for name in group
    }
    scores: defaultdict[object, list[_Score]] = defaultdict(list)
    extra: defaultdict[tuple[_Score, ...], float] = defaultdict(float)
    for (one, other), between in pairs.items():
        duel = names.index(one), names.index(other)
        for group, points in between.items():
            scores[group].append(_Score(*duel, sum(points), len(points)))
        shares = {sum(points) / len(points) for points in between.values()}
        bounded = level[one] == level[other] and shares in ({0}, {1})
        if len(shares) == 1 and not bounded:
            games = max(PAIR, *map(len, between.values()))
            weight = 1 / min(len(links[one]), len(links[other]))
            for halves in range(2 * games + 1):
                extra[_Score(*duel, halves / 2, games),] += weight / (2 * games + 1)
    ended = defaultdict[tuple[_Score, ...], float](float, Counter(map(tuple, scores.values())))
    for result, weight in extra.items():
        ended[result] += weight
    return ended


def _sum_scores(played: _Played) -> list[_Score]:
    """Return the scores of every two bots in all groups; the games may be no whole number."""
    won, games = (
        defaultdict[tuple[int, int], float](float),
        defaultdict[tuple[int, int], float](float),
    )
    for group, times in played.items():
        for score in group:
            duel = score.one, score.other
            won[duel] += times * score.won
            games[duel] += times * score.games
    return [_Score(*duel, won[duel], games[duel]) for duel in won]


def _compute_step(strength: Sequence[float], sums: Sequence[_Score]) -> list[float]:
    """Return Newton's step to the most likely strengths."""
    slope = [-s / SPREAD**2 for s in strength]
    for bot, surplus in _compute_surplus(sums, strength).items():
        slope[bot] += surplus
    return _solve(_compute_curvature(strength, sums), slope)


def _compute_surplus(group: Iterable[_Score], strength: Sequence[float]) -> Mapping[int, float]:
    """Return the surplus of each bot over its expected score."""
    surplus: defaultdict[int, float] = defaultdict(float)
    for score in group:
        more = score.won - score.games * score.expect_share(strength)
        surplus[score.one] += more
        surplus[score.other] -= more
    return surplus


def _compute_curvature(strength: Sequence[float], sums: Sequence[_Score]) -> Matrix:
    matrix = _make_prior(len(strength))
    for score in sums:
        share = score.expect_share(strength)
        weight = score.games * share * (1 - share)
        for i, j, sign in _list_matrix_cells(score):
            matrix[i][j] += sign * weight
    return matrix


def _compute_covariance(
    strength: Sequence[float], played: _Played, sums: Sequence[_Score], fitted: int
) -> Covariance:
    """Return the covariance of the ratings less their mean.

    It is the covariance of the slopes between the inverse curvature on both sides.
    """
    size = len(strength)
    spread = _make_prior(size)
    larger = _compute_correction(played, fitted)
    for group, times in played.items():
        surplus = _compute_surplus(group, strength)
        for i, j in product(surplus, repeat=2):
            spread[i][j] += larger * times * surplus[i] * surplus[j]
    bread = _invert(_compute_curvature(strength, sums))
    half = [[_multiply(row, column) for column in spread] for row in bread]
    whole = [[_multiply(row, column) * ELO**2 for column in bread] for row in half]
    means = [sum(row) / size for row in whole]
    mean = sum(means) / size
    return tuple(
        tuple(value - means[i] - means[j] + mean for j, value in enumerate(row))
        for i, row in enumerate(whole)
    )


def _compute_correction(played: _Played, fitted: int) -> float:
    """Return the correction for groups that are nearer to the fitted strengths than to the true
    ones.

    A group of two bots has one degree of freedom, how far they are apart, and one of three has two.
    """
    said = sum(
        times * (len({bot for score in group for bot in (score.one, score.other)}) - 1)
        for group, times in played.items()
    )
    return said / max(said - fitted, 1) if fitted else 1.0


def _make_prior(size: int) -> Matrix:
    return [[float(i == j) / SPREAD**2 for j in range(size)] for i in range(size)]


def _list_matrix_cells(score: _Score) -> tuple[tuple[int, int, int], ...]:
    """Yield the cells of a matrix that change when two strengths move apart, with the signs."""
    one, other = score.one, score.other
    return (one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)


def _solve(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    """Return the solution of a positive definite system, in a sixth of the time of an inverse."""
    solution: list[float] = []
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    tops = []
    while rows:
        top, *others = rows
        tops.append(top)
        rows = [_subtract(row, row[0] / top[0], top)[1:] for row in others]
    for first, *row, value in reversed(tops):
        solution.insert(0, (value - _multiply(row, solution)) / first)
    return solution


def _invert(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite matrix: no rows have to be exchanged."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i and (factor := rows[j][i]):
                rows[j] = _subtract(rows[j], factor, pivot)
    return [row[size:] for row in rows]


def _subtract(one: Sequence[float], factor: float, other: Sequence[float]) -> list[float]:
    return [a - factor * b for a, b in zip(one, other, strict=True)]


def _multiply(one: Sequence[float], other: Sequence[float]) -> float:
    total: float = sum(map(mul, one, other))
    return total
