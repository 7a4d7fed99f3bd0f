"""The comparison of two bots by their mirrored pairs. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from attrs import frozen

from tabnet.tournament.records.entrants_and_results import Result, select_counted_results
from tabnet.tournament.stats.elo_ratings import fit_ratings
from tabnet.tournament.stats.intervals import Estimate
from tabnet.tournament.stats.pair_scores import find_finished_pairs, group_scores
from tabnet.tournament.stats.sprt_likelihood import (
    NORMALISED,
    compute_moments,
    convert_to_share,
    round_elo,
)


@frozen
class HeadToHead:
    """The comparison of the first bot with the second; every number is finite."""

    names: tuple[str, str]
    pentanomial: tuple[int, ...]
    """The numbers of finished pairs with 0, 1/2, 1, 3/2 and 2 points for the first bot."""
    elo: Estimate
    """The difference of their ratings, by the method of the table (`elo_ratings`)."""
    normalised: Estimate
    """Normalised Elo: the difference measured by the spread of the results of pairs."""
    superiority: float
    """The probability that the first is the stronger one; chess players call it LOS."""
    notes: tuple[str, ...]
    """Sentences about the limits of the numbers."""


def compare_bots(results: Sequence[Result], one: str, other: str) -> HeadToHead:
    """Compare `one` with `other`; games with others are left out."""
    own = [each for each in select_counted_results(results) if set(each.game.seats) == {one, other}]
    counts = [0] * 5
    for pair in find_finished_pairs(own, one, other).values():
        counts[round(2 * sum(pair))] += 1
    rated = fit_ratings((one, other), group_scores(own))
    elo = rated.estimate_difference(0, 1)
    return HeadToHead(
        names=(one, other),
        pentanomial=tuple(counts),
        elo=elo,
        normalised=_normalise(elo, counts),
        superiority=rated.compute_superiority(0, 1),
        notes=tuple(_write_notes(one, counts, len(own))),
    )


def _normalise(elo: Estimate, counts: Sequence[int]) -> Estimate:
    """Return the shares of the points that follow from these differences, by their deviation."""
    unit = NORMALISED / math.sqrt(compute_moments(_add_even_pair(counts))[1])
    limits = (elo.value, elo.low, elo.high)
    return Estimate(*(round_elo((convert_to_share(limit) - 0.5) * unit) for limit in limits))


def _add_even_pair(counts: Sequence[int]) -> list[float]:
    """Return the counts; if all pairs ended alike, with one more pair spread evenly.

    Without it, they would have no deviation.
    """
    alike = max(counts) == sum(counts)
    return [count + 0.2 if alike else count for count in counts]


def _write_notes(one: str, counts: Sequence[int], games: int) -> list[str]:
    pairs = sum(counts)
    notes = []
    if not pairs:
        notes.append("No pair is finished.")
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
            "in the ratings, and in no number of pairs."
        )
    return notes
