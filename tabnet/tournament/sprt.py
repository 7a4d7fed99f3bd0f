"""A test that ends by itself as soon as it is clear which of two hypotheses holds. Pure.

The generalised sequential probability ratio test on pairs of games: H0 says that the first of two
bots is stronger by `elo0`, H1 that it is stronger by `elo1`.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tabnet.tournament.results import Result


@frozen
class Hypotheses:
    """What a test is to decide between; values that make no sense are a `StartError`."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """How often H1 may be accepted where H0 holds."""
    beta: float = 0.05
    """How often H0 may be accepted where H1 holds."""
    model: str = "normalised"
    """What `elo0` and `elo1` are: `normalised` or `logistic` Elo."""


@frozen
class Verdict:
    """How far the test has come."""

    pairs: int
    """How many pairs it has judged: the first ones, none left out. If it is decided, later pairs
    do not belong to it: leave the results whose `game.pair` is `pairs` or more out of the table."""
    llr: float
    """The logarithm of the likelihood ratio of the two hypotheses."""
    lower: float
    """H0 is accepted at or below this."""
    upper: float
    """H1 is accepted at or above this."""
    accepted: str | None
    """`H0`, `H1`, or None while the test goes on."""
    text: str
    """The same in a sentence."""


def sprt(results: Sequence[Result], one: str, other: str, hypotheses: Hypotheses) -> Verdict:
    """The verdict on `one` against `other`, judged pair by pair on the longest finished prefix.

    It depends on nothing but the results of the first pairs, however many ran at the same time.
    """
    raise NotImplementedError
