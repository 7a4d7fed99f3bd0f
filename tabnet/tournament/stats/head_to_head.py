"""What the games between two bots say about them, in mirrored pairs. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from tabnet.tournament.records.results import Result, counting
from tabnet.tournament.stats.likelihood import (
    NORMALISED,
    elo_of,
    limits,
    moments,
    rounded,
    surprise,
)
from tabnet.tournament.stats.pair_scores import finished, variance_ratio

Z95: Final = 1.959963984540054
"""95 % of a normal distribution are less than so many standard deviations from its mean."""


@frozen
class Estimate:
    """A value and the limits of its 95 % interval."""

    value: float
    low: float
    high: float


@frozen
class HeadToHead:
    """How the first of two bots did against the second; every number is finite."""

    names: tuple[str, str]
    wins: int
    draws: int
    losses: int
    """Games of the first, in finished pairs or not."""
    pentanomial: tuple[int, ...]
    """How many finished pairs gave the first 0, 1/2, 1, 3/2 and 2 points."""
    score: float
    """The first's share of the points of finished pairs; 1/2 if there are none."""
    elo: Estimate
    """The difference in strength that gives this share."""
    normalised: Estimate
    """Normalised Elo: the difference measured by the spread of the results."""
    superiority: float
    """The probability that the first is the stronger one; chess players call it LOS."""
    variance_ratio: float | None
    """As in `stats.Table`, for these two."""
    notes: tuple[str, ...]
    """Sentences about what the numbers cannot say."""

    @property
    def pairs(self) -> int:
        """How many pairs were finished."""
        return sum(self.pentanomial)


def duel(results: Sequence[Result], one: str, other: str) -> HeadToHead:
    """How `one` did against `other`; games of others are left out.

    An interval holds the strengths that the pairs do not speak against, by the ratio of
    likelihoods, so that it says something sensible of few pairs and of equal ones too.
    """
    scores = [
        result.score(result.game.seats.index(one))
        for result in counting(results)
        if {one, other} == set(result.game.seats)
    ]
    pairs = finished(results, one, other)
    counts = [0] * 5
    for pair in pairs.values():
        counts[round(2 * sum(pair))] += 1
    assumed = _varied(counts)
    mean, variance = moments(assumed)
    unit = NORMALISED / math.sqrt(variance)
    shares = (mean, *limits(assumed, Z95))
    return HeadToHead(
        names=(one, other),
        wins=scores.count(1),
        draws=scores.count(0.5),
        losses=scores.count(0),
        pentanomial=tuple(counts),
        score=moments(counts)[0] if pairs else 0.5,
        elo=Estimate(*(rounded(elo_of(share)) for share in shares)),
        normalised=Estimate(*(rounded((share - 0.5) * unit) for share in shares)),
        superiority=normal(-surprise(assumed, 0.5)),
        variance_ratio=variance_ratio([pairs]),
        notes=tuple(_notes(one, counts, len(scores))),
    )


def normal(deviations: float) -> float:
    """How much of a normal distribution is less than so many deviations above its mean."""
    return math.erfc(-deviations / math.sqrt(2)) / 2


def _varied(counts: Sequence[int]) -> list[float]:
    """If all pairs ended alike, one more, spread evenly: else nothing could limit the estimates."""
    alike = max(counts) == sum(counts)
    return [count + 0.2 if alike else count for count in counts]


def _notes(one: str, counts: Sequence[int], games: int) -> list[str]:
    pairs = sum(counts)
    notes = []
    if not pairs:
        notes.append("No pair is finished: nothing is known of who is stronger.")
    elif max(counts) == pairs:
        points = counts.index(pairs) / 2
        each = "The only pair" if pairs == 1 else f"Each of the {pairs} pairs"
        notes.append(
            f"{each} gave {one} {points:g} of 2 points: the estimates assume one more pair, "
            "spread evenly over all results."
        )
    if single := games - 2 * pairs:
        notes.append(
            f"{single} {'game is' if single == 1 else 'games are'} in no finished pair: counted "
            "as won, drawn or lost, and nowhere else."
        )
    return notes
