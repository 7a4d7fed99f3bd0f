"""Results -> mirrored pairs: what one bot scored against another on the same throws. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tabnet.tournament.results import Result

Opponents = tuple[str, str]
"""Two names, in alphabetical order."""


def grouped(results: Iterable[Result]) -> dict[Opponents, dict[int, tuple[float, ...]]]:
    """By opponents, and by number of the pair, the first one's score in each game of the pair.

    A finished pair has two scores, first that of the game in which the first one had seat 0.
    """
    pairs: defaultdict[Opponents, dict[int, tuple[float, ...]]] = defaultdict(dict)
    for result in sorted(results, key=lambda each: each.game.seats):
        one, other = sorted(result.game.seats)
        scores = pairs[one, other]
        score = result.score(result.game.seats.index(one))
        scores[result.game.pair] = (*scores.get(result.game.pair, ()), score)
    return {opponents: dict(sorted(pairs[opponents].items())) for opponents in sorted(pairs)}


def finished(results: Iterable[Result], one: str, other: str) -> dict[int, tuple[float, ...]]:
    """The finished pairs of two bots by number, with the scores of `one`."""
    first = min(one, other)
    pairs = grouped(result for result in results if set(result.game.seats) == {one, other}).get(
        (first, max(one, other)), {}
    )
    return {
        number: scores if one == first else tuple(1 - score for score in reversed(scores))
        for number, scores in pairs.items()
        if len(scores) == 2
    }


def variance_ratio(duels: Iterable[Mapping[int, Sequence[float]]]) -> float | None:
    """How much of the variance of unmirrored games is left in mirrored ones.

    The variance of the points of a pair, by what it would be if its two games had nothing in
    common: the sum of the variances of the games in one seat and in the other. None if that is 0.
    """
    mirrored = unmirrored = 0.0
    for pairs in duels:
        scores = [pair for pair in pairs.values() if len(pair) == 2]
        mirrored += _squares([sum(pair) for pair in scores])
        unmirrored += sum(_squares([pair[seat] for pair in scores]) for seat in (0, 1))
    return mirrored / unmirrored if unmirrored else None


def _squares(values: Sequence[float]) -> float:
    """The sum of the squared distances from the mean."""
    mean = sum(values) / max(len(values), 1)
    return sum((value - mean) ** 2 for value in values)
