"""Sequential tests."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.errors import StartError
from tabnet.tournament.stats.sprt import Hypotheses, Verdict
from tests.tournament.made_results import counted, paired, run_sprt

MANY = (39, 8843, 26675, 9240, 44)


def test_known_ratios_are_reproduced() -> None:
    """As fastchess computes them."""
    assert Hypotheses(0.5, 2.5).compute_llr(MANY) == pytest.approx(2.94168, abs=5e-6)
    assert Hypotheses(0.5, 2.5, model="logistic").compute_llr(MANY) == pytest.approx(
        0.55552, abs=5e-6
    )


def test_an_unseen_result_counts_as_a_thousandth_of_a_pair() -> None:
    alike = (0, 0, 100, 0, 0)
    assert Hypotheses(0, 5, model="logistic").compute_llr(alike) == pytest.approx(
        -1.44165, abs=1e-4
    )
    assert Hypotheses(0, 5).compute_llr(alike) == pytest.approx(-0.03754, abs=1e-4)


@pytest.mark.parametrize("model", ["normalised", "logistic"])
def test_results_seen_from_the_other_side_support_the_other_hypothesis(model) -> None:
    one = Hypotheses(-5, 10, model=model).compute_llr(MANY)
    assert Hypotheses(-10, 5, model=model).compute_llr(MANY[::-1]) == pytest.approx(-one)
    assert Hypotheses(-5, 5, model=model).compute_llr((7, 30, 99, 30, 7)) == pytest.approx(
        0, abs=1e-6
    )


def test_the_ratio_of_many_pairs_is_that_of_a_normal_distribution() -> None:
    n, share = 100_000, 0.503
    counts = [5000, 20_000, 50_000 - 1200, 20_000 + 1200, 5000]
    variance = (10_000 * 0.25 + 40_000 * 0.0625) / n
    low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (0, 2))
    expected = n * (high - low) * (share - (low + high) / 2) / variance
    assert Hypotheses(0, 2, model="logistic").compute_llr(counts) == pytest.approx(
        expected, rel=0.02
    )


@pytest.mark.parametrize("model", ["normalised", "logistic"])
@pytest.mark.parametrize("counts", [(0, 0, 100, 0, 0), (20, 0, 0, 0, 0), (0, 0, 0, 0, 20)])
def test_results_without_variance_have_finite_ratios_with_the_right_sign(model, counts) -> None:
    ratio = Hypotheses(0, 5, model=model).compute_llr(counts)
    assert math.isfinite(ratio)
    assert (ratio > 0) == (counts[4] > 0)


@given(
    st.lists(st.sampled_from((0, 0, 1, 2, 40, 3000)), min_size=5, max_size=5),
    st.lists(st.integers(-200, 200), min_size=2, max_size=2, unique=True).map(sorted),
    st.sampled_from(("normalised", "logistic")),
)
def test_every_ratio_is_finite(counts, elos, model) -> None:
    assert math.isfinite(Hypotheses(*elos, model=model).compute_llr(counts))


def test_without_a_pair_the_ratio_is_zero() -> None:
    verdict = run_sprt([], "a", "b", Hypotheses())
    assert (verdict.pairs, verdict.llr, verdict.accepted) == (0, 0, None)
    assert verdict.text == "Undecided: LLR 0.00 in [-2.94, 2.94] after 0 pairs."


def test_the_bounds_are_those_of_wald() -> None:
    hypotheses = Hypotheses(alpha=0.01, beta=0.1)
    assert hypotheses.lower == pytest.approx(math.log(0.1 / 0.99))
    assert hypotheses.upper == pytest.approx(math.log(0.9 / 0.01))


def test_a_bot_that_keeps_winning_is_accepted_as_stronger() -> None:
    results = counted("a", "b", (0, 0, 10, 10, 80))
    verdict = run_sprt(results, "a", "b", Hypotheses(0, 100))
    assert verdict.accepted == "H1"
    assert verdict.text == (
        "H1 is accepted: a is +100 rather than +0 normalised Elo stronger than b; "
        f"LLR {verdict.llr:.2f} in [-2.94, 2.94] after {verdict.pairs} pairs."
    )


def test_an_equal_bot_is_accepted_as_equal() -> None:
    results = paired("a", "b", [(1, 0), (0.5, 0), (0, 1), (0.5, 1)] * 50)
    verdict = run_sprt(results, "a", "b", Hypotheses(0, 100, model="logistic"))
    assert verdict.accepted == "H0"
    assert verdict.text.startswith("H0 is accepted: a is +0 rather than +100 logistic Elo stronger")


def test_the_first_bound_decides_the_verdict() -> None:
    results = counted("a", "b", (0, 0, 10, 10, 80))
    verdict = run_sprt(results, "a", "b", Hypotheses(0, 100))
    assert verdict.pairs < 100
    before = [result for result in results if result.game.pair < verdict.pairs - 1]
    assert run_sprt(before, "a", "b", Hypotheses(0, 100)).accepted is None
    later = [result for result in results if result.game.pair >= verdict.pairs]
    turned = paired("a", "b", [(0, 0)] * 100)[2 * verdict.pairs :]
    assert run_sprt(results[: -len(later)] + turned, "a", "b", Hypotheses(0, 100)) == verdict
    assert verdict.add_pair((0, 0)) is verdict


def test_only_the_longest_finished_prefix_is_judged() -> None:
    results = paired("a", "b", [(1, 0), (1, 1), (0, 0), (1, 1)])
    without = [result for result in results if result.game.pair != 2]
    assert run_sprt(without, "a", "b", Hypotheses()).pentanomial == (0, 0, 1, 0, 1)
    assert run_sprt(results[:3], "a", "b", Hypotheses()).pentanomial == (0, 0, 1, 0, 0)
    assert run_sprt(results, "b", "a", Hypotheses()).pentanomial == (2, 0, 1, 0, 1)


def test_the_order_in_which_games_end_is_irrelevant() -> None:
    results = counted("a", "b", (4, 8, 20, 8, 5))
    shuffled = Random(4).sample(results, len(results))
    assert run_sprt(shuffled, "a", "b", Hypotheses()) == run_sprt(results, "a", "b", Hypotheses())


def test_one_pair_is_singular() -> None:
    verdict = Verdict(("a", "b"), Hypotheses()).add_pair((1, 0))
    assert verdict.text == "Undecided: LLR 0.00 in [-2.94, 2.94] after 1 pair."


def test_error_rates_are_as_low_as_requested() -> None:
    """Equal bots are taken for different ones in about one of ten tests."""
    random, accepted = Random(5), []
    for _ in range(100):
        verdict = Verdict(("a", "b"), Hypotheses(0, 60, alpha=0.1, beta=0.1, model="logistic"))
        while not verdict.accepted:
            score = random.choice((0, 1))
            verdict = verdict.add_pair((score, random.choice((score, 1 - score, 0.5))))
        accepted.append(verdict.accepted)
    assert 0.03 < accepted.count("H1") / len(accepted) < 0.15


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"model": "bayesian"}, "there is no model 'bayesian'"),
        ({"elo0": 5, "elo1": 5}, "elo0 5 and elo1 5 are no two hypotheses"),
        ({"elo1": 201}, "elo0 0 and elo1 201 are no two hypotheses"),
        ({"elo0": -2001, "model": "logistic"}, "elo0 -2001 and elo1 20 are no two hypotheses"),
        ({"elo0": math.nan}, "elo0 nan and elo1 20 are no two hypotheses"),
        ({"alpha": 0}, "alpha is 0, and not between 0 and 0.5"),
        ({"beta": 0.5}, "beta is 0.5, and not between 0 and 0.5"),
    ],
)
def test_senseless_hypotheses_are_refused_with_a_reason(wrong, text) -> None:
    with pytest.raises(StartError) as refused:
        Hypotheses(**wrong)
    assert refused.value.text == text
