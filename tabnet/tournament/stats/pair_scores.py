"""Results -> what one bot scored against another on the same throws, in all orders. Pure.

Two bots play pairs of games, three or four play groups of one game for each order of the seats. In
a group each two of them have met in every one of its games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import factorial
from typing import Final, TypeVar

from tabnet.tournament.records.results import Group, Result, counting
from tabnet.tournament.stats.connectivity import Pairs

PAIR: Final = factorial(2)
"""How many games a pair has."""

Key = TypeVar("Key")


def grouped(results: Iterable[Result]) -> Pairs:
    """By opponents, and by group of games, the first one's score in each of its games.

    Of a finished group the first score is that of the game whose seats are in alphabetical order,
    and the others follow in the order of their seats. A group with a game that ended with `error`
    is left out.
    """
    pairs: defaultdict[tuple[str, str], dict[Group, tuple[float, ...]]] = defaultdict(dict)
    for result in sorted(counting(results), key=lambda each: each.game.seats):
        seats, group = result.game.seats, result.game.group
        for one, other in combinations(sorted(seats), 2):
            score = result.against(seats.index(one), seats.index(other))
            if score is not None:
                scores = pairs[one, other]
                scores[group] = (*scores.get(group, ()), score)
    return {opponents: dict(sorted(pairs[opponents].items())) for opponents in sorted(pairs)}


def finished(results: Iterable[Result], one: str, other: str) -> dict[int, tuple[float, ...]]:
    """The finished pairs of two bots by number, with the scores of `one`."""
    first, second = sorted((one, other))
    pairs = grouped(result for result in results if set(result.game.seats) == {one, other}).get(
        (first, second), {}
    )
    return {
        number: tuple(scores) if one == first else tuple(1 - score for score in reversed(scores))
        for (_, number), scores in pairs.items()
        if len(scores) == PAIR
    }


def variance_ratio(
    duels: Iterable[Mapping[Key, Sequence[float]]], games: int = PAIR
) -> float | None:
    """How much of the variance of unmirrored games is left in mirrored ones.

    The variance of the points of a finished group, of so many games, by what it would be if they
    had nothing in common: the sum of the variances of the games in each order of the seats. None
    if that is 0.
    """
    mirrored = unmirrored = 0.0
    for groups in duels:
        scores = [group for group in groups.values() if len(group) == games]
        mirrored += _squares([sum(group) for group in scores])
        unmirrored += sum(_squares([group[order] for group in scores]) for order in range(games))
    return mirrored / unmirrored if unmirrored else None


def _squares(values: Sequence[float]) -> float:
    """The sum of the squared distances from the mean."""
    mean = sum(values) / max(len(values), 1)
    return sum((value - mean) ** 2 for value in values)
