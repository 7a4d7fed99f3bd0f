"""Scores of bots against each other on the same throws, in all seat orders. Pure.

Two bots play pairs of games. Three or four play groups with one game for each order of the seats;
every two bots of a group meet in each of its games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import factorial
from typing import Final, TypeVar

from tabnet.tournament.records.entrants_and_results import Group, Result, select_counted_results
from tabnet.tournament.stats.connectivity import Pairs

PAIR: Final = factorial(2)
"""The number of games of a pair."""

Key = TypeVar("Key")


def group_scores(results: Iterable[Result]) -> Pairs:
    """Return the first opponent's score in each game, by opponents and group of games.

    The first score of a finished group is that of the game with its seats in alphabetical order;
    the others follow in the order of their seats. Groups with a game that ended with `error` are
    left out.
    """
    groups: defaultdict[Group, list[Result]] = defaultdict(list)
    for result in select_counted_results(results):
        groups[result.game.group].append(result)
    pairs: defaultdict[tuple[str, str], dict[Group, tuple[float, ...]]] = defaultdict(dict)
    for group, games in groups.items():
        games.sort(key=lambda each: each.game.seats)
        for opponents in combinations(group[0], 2):
            if scores := tuple(_yield_scores(games, *opponents)):
                pairs[opponents][group] = scores
    return {opponents: dict(sorted(pairs[opponents].items())) for opponents in sorted(pairs)}


def _yield_scores(games: Iterable[Result], one: str, other: str) -> Iterator[float]:
    for result in games:
        seats = result.game.seats
        score = result.score_against(seats.index(one), seats.index(other))
        if score is not None:
            yield score


def find_finished_pairs(
    results: Iterable[Result], one: str, other: str
) -> dict[int, tuple[float, ...]]:
    """Return the finished pairs of two bots by number, with the scores of `one`."""
    first, second = sorted((one, other))
    pairs = group_scores(
        result for result in results if set(result.game.seats) == {one, other}
    ).get((first, second), {})
    return {
        number: tuple(scores) if one == first else tuple(1 - score for score in reversed(scores))
        for (_, number), scores in pairs.items()
        if len(scores) == PAIR
    }


def compute_variance_ratio(
    duels: Iterable[Mapping[Key, Sequence[float]]], games: int = PAIR
) -> float | None:
    """Return the variance of mirrored games as a share of that of unmirrored ones.

    It is the variance of the points of finished groups, divided by the value for independent games:
    the sum of the variances of the games in each seat order. None if that is 0.
    """
    mirrored = unmirrored = 0.0
    for groups in duels:
        scores = [group for group in groups.values() if len(group) == games]
        mirrored += _sum_squares([sum(group) for group in scores])
        unmirrored += sum(
            _sum_squares([group[order] for group in scores]) for order in range(games)
        )
    return mirrored / unmirrored if unmirrored else None


def _sum_squares(values: Sequence[float]) -> float:
    """Return the sum of the squared distances from the mean."""
    mean = sum(values) / max(len(values), 1)
    return sum((value - mean) ** 2 for value in values)
