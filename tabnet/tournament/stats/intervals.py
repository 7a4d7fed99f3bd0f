"""Intervals of 95 %, also when few groups of games measure the variance. Pure.

Few groups measure a variance badly, and their errors follow Student's t distribution instead of the
normal one. `widen` and `narrow` convert deviations of the one into deviations of the other, by the
approximation of D. L. Wallace, Bounds on normal approximations to Student's and the chi-square
distributions. Limits of 95 % are 4 % too wide for 2 degrees of freedom, 1.2 % for 3, and less for
more.
"""

from __future__ import annotations

import math
from typing import Final

from attrs import frozen

Z95: Final = 1.959963984540054
"""The deviations on both sides of the mean that hold 95 % of a normal distribution."""


@frozen
class Estimate:
    """A value and the limits of its 95 % interval."""

    value: float
    low: float
    high: float


def compute_normal_cdf(deviations: float) -> float:
    """Return the part of a normal distribution below so many deviations above its mean."""
    return math.erfc(-deviations / math.sqrt(2)) / 2


def widen(deviations: float, freedom: float) -> float:
    """Return the deviations of a t distribution for so many of a normal one, 0 or more."""
    root = deviations * (8 * freedom + 3) / (8 * freedom + 1)
    return math.sqrt(freedom * math.expm1(root * root / freedom))


def narrow(deviations: float, freedom: float) -> float:
    """Return the deviations of a normal distribution for so many of a t distribution."""
    root = math.sqrt(freedom * math.log1p(deviations * deviations / freedom))
    return math.copysign(root * (8 * freedom + 1) / (8 * freedom + 3), deviations)
