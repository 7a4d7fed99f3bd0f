"""A test that ends as soon as the results decide between two hypotheses. Pure.

It is the generalised sequential probability ratio test on pairs of games. H0 says that the first of
two bots is stronger by `elo0`, and H1 that it is stronger by `elo1`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import evolve, frozen

from tabnet.errors import StartError
from tabnet.tournament.records.entrants_and_results import ERROR, Result
from tabnet.tournament.stats.pair_scores import PAIR, find_finished_pairs
from tabnet.tournament.stats.sprt_likelihood import (
    NORMALISED,
    compute_log_ratio,
    convert_to_share,
    fit_with_mean,
    fit_with_strength,
)

MODELS: Final = {"normalised": 200, "logistic": 2000}
"""The units of Elo, with the largest value of each."""


@frozen
class Hypotheses:
    """The hypotheses of a test; raises `StartError` for values that make no sense."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """The probability of accepting H1 if H0 holds."""
    beta: float = 0.05
    """The probability of accepting H0 if H1 holds."""
    model: str = "normalised"
    """The unit of `elo0` and `elo1`: one of `MODELS`."""

    def __attrs_post_init__(self) -> None:
        if self.model not in MODELS:
            raise StartError(f"there is no model '{self.model}'", hint=" or ".join(MODELS))
        high = MODELS[self.model]
        if not -high <= self.elo0 < self.elo1 <= high:
            raise StartError(
                f"elo0 {self.elo0:g} and elo1 {self.elo1:g} are no two hypotheses",
                hint=f"elo0 is less than elo1, and {self.model} Elo is between {-high} and {high}",
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise StartError(f"{name} is {chance:g}, and not between 0 and 0.5")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def compute_llr(self, pentanomial: Sequence[int]) -> float:
        if not any(pentanomial):
            return 0.0
        h0, h1 = (
            fit_with_strength(pentanomial, elo / NORMALISED)
            if self.model == "normalised"
            else fit_with_mean(pentanomial, convert_to_share(elo))
            for elo in (self.elo0, self.elo1)
        )
        return compute_log_ratio(pentanomial, h1, h0)


@frozen
class Verdict:
    """The state of a test of one bot against another."""

    names: tuple[str, str]
    hypotheses: Hypotheses
    pentanomial: tuple[int, ...] = (0,) * 5
    """The numbers of judged pairs with 0, 1/2, 1, 3/2 and 2 points for the first bot."""
    llr: float = 0.0
    """The log-likelihood ratio of H1 to H0."""
    left_out: int = 0
    """The number of pairs left out because a game ended with `error`."""

    @property
    def pairs(self) -> int:
        """The number of judged pairs: the first ones, except those left out."""
        return sum(self.pentanomial)

    @property
    def next_pair(self) -> int:
        """The number of the next pair to be judged.

        When the test is decided, later pairs are no part of it: results with this `game.pair` or a
        later one do not belong in the table.
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

    def add_pair(self, scores: Iterable[float]) -> Verdict:
        """Return the state after the next pair, with this score of the first bot."""
        if self.accepted:
            return self
        counts = list(self.pentanomial)
        counts[round(2 * sum(scores))] += 1
        return evolve(self, pentanomial=tuple(counts), llr=self.hypotheses.compute_llr(counts))

    def add_results(self, results: Iterable[Result]) -> Verdict:
        """Add all further pairs that are finished without a gap, whatever else has been played."""
        one, other = self.names
        news = [result for result in results if result.game.pair >= self.next_pair]
        pairs, failed = find_finished_pairs(news, one, other), _find_failed_pairs(news)
        verdict = self
        while not verdict.accepted:
            if verdict.next_pair in pairs:
                verdict = verdict.add_pair(pairs[verdict.next_pair])
            elif verdict.next_pair in failed:
                verdict = evolve(verdict, left_out=verdict.left_out + 1)
            else:
                break
        return verdict


def _find_failed_pairs(results: Iterable[Result]) -> set[int]:
    """Return the numbers of the finished pairs in which a game ended with `error`."""
    every = list(results)
    games = Counter(result.game.pair for result in every)
    return {
        result.game.pair
        for result in every
        if result.cause == ERROR and games[result.game.pair] == PAIR
    }
