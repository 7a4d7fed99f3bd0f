"""A test that ends by itself as soon as it is clear which of two hypotheses holds. Pure.

The generalised sequential probability ratio test on pairs of games: H0 says that the first of two
bots is stronger by `elo0`, H1 that it is stronger by `elo1`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import evolve, frozen

from tabnet.errors import StartError
from tabnet.tournament.records.results import ERROR, Result
from tabnet.tournament.stats.likelihood import (
    NORMALISED,
    log_ratio,
    share_of,
    with_mean,
    with_strength,
)
from tabnet.tournament.stats.pair_scores import PAIR, finished

MODELS: Final = {"normalised": 200, "logistic": 2000}
"""What Elo is meant, and how much of it at most."""


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
    """Which Elo `elo0` and `elo1` are: one of `MODELS`."""

    def __attrs_post_init__(self) -> None:
        if self.model not in MODELS:
            raise StartError(f"there is no model '{self.model}'", hint=" or ".join(MODELS))
        most = MODELS[self.model]
        if not -most <= self.elo0 < self.elo1 <= most:
            raise StartError(
                f"elo0 {self.elo0:g} and elo1 {self.elo1:g} are no two hypotheses",
                hint=f"elo0 is less than elo1, and {self.model} Elo is between {-most} and {most}",
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise StartError(f"{name} is {chance:g}, and not between 0 and 0.5")

    @property
    def lower(self) -> float:
        """H0 is accepted when the logarithm of the likelihood ratio is at or below this."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted when the logarithm of the likelihood ratio is at or above this."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial: Sequence[int]) -> float:
        """The logarithm of how much likelier these pairs are under H1 than under H0."""
        if not any(pentanomial):
            return 0.0
        h0, h1 = (
            with_strength(pentanomial, elo / NORMALISED)
            if self.model == "normalised"
            else with_mean(pentanomial, share_of(elo))
            for elo in (self.elo0, self.elo1)
        )
        return log_ratio(pentanomial, h1, h0)


@frozen
class Verdict:
    """How far the test of one bot against another has come."""

    names: tuple[str, str]
    hypotheses: Hypotheses
    pentanomial: tuple[int, ...] = (0,) * 5
    """How many of the judged pairs gave the first 0, 1/2, 1, 3/2 and 2 points."""
    llr: float = 0.0
    """The logarithm of the likelihood ratio of H1 to H0."""
    left_out: int = 0
    """How many pairs were passed over, because a game of theirs ended with `error`."""

    @property
    def pairs(self) -> int:
        """How many pairs have been judged: the first ones, except those left out."""
        return sum(self.pentanomial)

    @property
    def next_pair(self) -> int:
        """The number of the pair to be judged next.

        When the test is decided, later pairs are no part of it: results whose `game.pair` is this
        or more do not belong into the tournament's table.
        """
        return self.pairs + self.left_out

    @property
    def accepted(self) -> str | None:
        """`H0` or `H1`; None while the test goes on."""
        if self.llr >= self.hypotheses.upper:
            return "H1"
        return "H0" if self.llr <= self.hypotheses.lower else None

    @property
    def text(self) -> str:
        """The verdict in a sentence."""
        tested = self.hypotheses
        state = (
            f"LLR {self.llr:z.2f} in [{tested.lower:.2f}, {tested.upper:.2f}] "
            f"after {self.pairs} {'pair' if self.pairs == 1 else 'pairs'}"
        )
        one, other = self.names
        if self.accepted is None:
            return f"Undecided: {state}."
        more, less = tested.elo1, tested.elo0
        if self.accepted == "H0":
            more, less = less, more
        return (
            f"{self.accepted} is accepted: {one} is {more:+g} rather than {less:+g} "
            f"{tested.model} Elo stronger than {other}; {state}."
        )

    def after(self, scores: Iterable[float]) -> Verdict:
        """The verdict after the next pair, in which the first bot scored this."""
        if self.accepted:
            return self
        counts = list(self.pentanomial)
        counts[round(2 * sum(scores))] += 1
        return evolve(self, pentanomial=tuple(counts), llr=self.hypotheses.llr(counts))

    def onward(self, results: Iterable[Result]) -> Verdict:
        """The verdict after the pairs that follow, as far as they are finished one by one."""
        one, other = self.names
        news = [result for result in results if result.game.pair >= self.next_pair]
        pairs, failed = finished(news, one, other), _failed(news)
        verdict = self
        while not verdict.accepted:
            if verdict.next_pair in pairs:
                verdict = verdict.after(pairs[verdict.next_pair])
            elif verdict.next_pair in failed:
                verdict = evolve(verdict, left_out=verdict.left_out + 1)
            else:
                break
        return verdict


def _failed(results: Iterable[Result]) -> set[int]:
    """Return the numbers of the finished pairs in which a game ended with `error`."""
    every = list(results)
    games = Counter(result.game.pair for result in every)
    return {
        result.game.pair
        for result in every
        if result.cause == ERROR and games[result.game.pair] == PAIR
    }


def sprt(results: Iterable[Result], one: str, other: str, hypotheses: Hypotheses) -> Verdict:
    """The verdict on `one` against `other`, judged pair by pair on the longest finished prefix.

    It depends on nothing but the results of the first pairs, however many ran at the same time.
    """
    return Verdict((one, other), hypotheses).onward(results)
