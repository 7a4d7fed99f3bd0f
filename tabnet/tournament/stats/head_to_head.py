"""The comparison of two bots by their mirrored pairs. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from tabnet.tournament.records.entrants_and_results import Result, select_counted_results
from tabnet.tournament.stats.pair_scores import find_finished_pairs
from tabnet.tournament.stats.sprt_likelihood import (
    NORMALISED,
    compute_moments,
    convert_to_elo,
    find_limits,
    measure_surprise,
    round_elo,
)

Z95: Final = 1.959963984540054
"""The deviations on both sides of the mean that hold 95 % of a normal distribution."""


@frozen
class Estimate:
    """A value and the limits of its 95 % interval."""

    value: float
    low: float
    high: float


@frozen
class HeadToHead:
    """The comparison of the first bot with the second; every number is finite."""

    names: tuple[str, str]
    pentanomial: tuple[int, ...]
    """The numbers of finished pairs with 0, 1/2, 1, 3/2 and 2 points for the first bot."""
    elo: Estimate
    """The difference in strength that gives the first bot's share of the points."""
    normalised: Estimate
    """Normalised Elo: the difference measured by the spread of the results."""
    superiority: float
    """The probability that the first is the stronger one; chess players call it LOS."""
    notes: tuple[str, ...]
    """Sentences about the limits of the numbers."""


def compare_bots(results: Sequence[Result], one: str, other: str) -> HeadToHead:
    """Compare `one` with `other`; games with others are left out.

    An interval holds the strengths that the pairs do not contradict, by the likelihood ratio. It is
    also sensible for few pairs and for equal ones.
    """
    games = sum({one, other} == set(each.game.seats) for each in select_counted_results(results))
    counts = [0] * 5
    for pair in find_finished_pairs(results, one, other).values():
        counts[round(2 * sum(pair))] += 1
    assumed = _add_even_pair(counts)
    mean, variance = compute_moments(assumed)
    unit = NORMALISED / math.sqrt(variance)
    shares = (mean, *find_limits(assumed, Z95))
    return HeadToHead(
        names=(one, other),
        pentanomial=tuple(counts),
        elo=Estimate(*(round_elo(convert_to_elo(share)) for share in shares)),
        normalised=Estimate(*(round_elo((share - 0.5) * unit) for share in shares)),
        superiority=compute_normal_cdf(-measure_surprise(assumed, 0.5)),
        notes=tuple(_write_notes(one, counts, games)),
    )


def compute_normal_cdf(deviations: float) -> float:
    """Return the part of a normal distribution below so many deviations above its mean."""
    return math.erfc(-deviations / math.sqrt(2)) / 2


def _add_even_pair(counts: Sequence[int]) -> list[float]:
    """Return the counts; if all pairs ended alike, with one more pair spread evenly.

    Without it, nothing would limit the estimates.
    """
    alike = max(counts) == sum(counts)
    return [count + 0.2 if alike else count for count in counts]


def _write_notes(one: str, counts: Sequence[int], games: int) -> list[str]:
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
