"""What the games between two bots say about them, in mirrored pairs. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tabnet.tournament.results import Result


@frozen
class Estimate:
    """A value and the limits of its 95 % interval."""

    value: float
    low: float
    high: float


@frozen
class Duel:
    """How the first of two bots did against the second."""

    names: tuple[str, str]
    wins: int
    draws: int
    losses: int
    """Games of the first, in pairs or not."""
    pentanomial: tuple[int, int, int, int, int]
    """How many finished pairs gave the first 0, 1/2, 1, 3/2 and 2 points."""
    score: float
    """The first's share of the points of finished pairs; 1/2 if there are none."""
    elo: Estimate
    """The difference in strength that gives this share."""
    normalised: Estimate
    """Normalised Elo: the difference measured by the spread of the results."""
    superiority: float
    """The probability that the first is the stronger one."""
    variance_ratio: float | None
    """As in `stats.Table`, for these two."""
    notes: tuple[str, ...]
    """Sentences about what the numbers cannot say."""

    @property
    def pairs(self) -> int:
        """How many pairs were finished."""
        return sum(self.pentanomial)


def duel(results: Sequence[Result], one: str, other: str) -> Duel:
    """How `one` did against `other`; results of games of others are left out."""
    raise NotImplementedError
