"""Likelihoods of strengths, with pairs of games as draws from five results. Pure.

A pair gives 0, 1/2, 1, 3/2 or 2 points, a share of 0 to 1. A hypothesis is the likeliest of all
distributions over these five with a given mean, or with a given mean in units of its standard
deviation. So the spread of results, which depends on the game, on draws and on mirrored throws, is
taken from the counts and never assumed. After M. Van den Bergh, Comments on normalized Elo,
propositions 1.1 and section 4.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)

NEVER: Final = 1e-3
"""The value for a count of 0, so that no result is impossible."""

ELO: Final = 400 / math.log(10)
"""Elo points for each unit of a logistic's argument."""

NORMALISED: Final = ELO * math.sqrt(2)
"""Points of normalised Elo for each unit of a pair's mean, less 1/2, by its standard deviation."""

CLOSE: Final = 1e-10
EXACT: Final = 1e-15
MOST_STEPS: Final = 100


def replace_zeros(counts: Sequence[float]) -> tuple[float, ...]:
    """Return the counts with `NEVER` in place of 0."""
    return tuple(count or NEVER for count in counts)


def compute_moments(weights: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the variance of the shares with these weights."""
    total = sum(weights)
    mean = sum(w * share for w, share in zip(weights, SHARES, strict=True)) / total
    squares = sum(w * (share - mean) ** 2 for w, share in zip(weights, SHARES, strict=True))
    return mean, squares / total


def convert_to_share(elo: float) -> float:
    """Return the share of the points of a bot that is stronger by so much."""
    return 1 / (1 + math.exp(-elo / ELO))


def convert_to_elo(share: float) -> float:
    """Return the Elo of a bot that wins this share of the points, which is between 0 and 1."""
    return ELO * math.log(share / (1 - share))


def round_elo(elo: float) -> float:
    """Return the value to a millionth, and 0 without a sign: rounding errors make no difference."""
    return round(elo, 6) + 0.0


def fit_with_mean(counts: Sequence[float], mean: float) -> tuple[float, ...]:
    """Return the likeliest distribution with this mean."""
    return _tilt(_normalise(counts), [share - mean for share in SHARES])


def fit_with_strength(counts: Sequence[float], t: float) -> tuple[float, ...]:
    """Return the likeliest distribution with a mean of 1/2 + t standard deviations.

    The condition is linearised around an estimate until the estimate is stable. For t between -0.82
    and 0.82 (200 points of normalised Elo) that took at most 45 steps.
    """
    observed = _normalise(counts)
    estimate: tuple[float, ...] = (0.2,) * 5
    moved, steps = math.inf, 0
    while moved > CLOSE and steps < MOST_STEPS:
        mean, variance = compute_moments(estimate)
        deviation = math.sqrt(variance)
        slopes = [
            share - 0.5 - t * deviation * (1 + (share - mean) ** 2 / variance) / 2
            for share in SHARES
        ]
        before, estimate = estimate, _tilt(observed, slopes)
        moved = max(abs(a - b) for a, b in zip(before, estimate, strict=True))
        steps += 1
    return estimate


def compute_log_ratio(
    counts: Sequence[float], one: Sequence[float], other: Sequence[float]
) -> float:
    """Return the logarithm of the likelihood ratio of two distributions for these counts."""
    terms = zip(replace_zeros(counts), one, other, strict=True)
    return sum(count * math.log(p / q) for count, p, q in terms)


def _normalise(counts: Sequence[float]) -> tuple[float, ...]:
    weights = replace_zeros(counts)
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def _tilt(observed: Sequence[float], slopes: Sequence[float]) -> tuple[float, ...]:
    """Return the likeliest distribution under which the slopes have the mean 0.

    It is p / (1 + x * slope) for the x at which that mean is 0; the mean falls as x grows. Newton's
    method finds x, and bisection if it would leave the bounds. No probability is above 1, so no
    denominator is below p.
    """
    both = list(zip(observed, slopes, strict=True))
    low = max((p - 1) / slope for p, slope in both if slope > 0)
    high = min((p - 1) / slope for p, slope in both if slope < 0)
    x, step, steps = 0.0, math.inf, 0
    while abs(step) > EXACT * abs(x) and steps < MOST_STEPS:
        tilted = [p / (1 + x * slope) for p, slope in both]
        mean = sum(q * slope for q, (_, slope) in zip(tilted, both, strict=True))
        fall = sum((q * slope) ** 2 / p for q, (p, slope) in zip(tilted, both, strict=True))
        low, high = (x, high) if mean > 0 else (low, x)
        step = mean / fall
        x = x + step if low <= x + step <= high else (low + high) / 2
        steps += 1
    return tuple(p / (1 + x * slope) for p, slope in both)
