"""Likeliest distributions, beside an optimiser that knows nothing of how they are found."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from tabnet.tournament.stats.sprt_likelihood import (
    NORMALISED,
    compute_log_ratio,
    compute_moments,
    convert_to_elo,
    convert_to_share,
    fit_with_mean,
    fit_with_strength,
    replace_zeros,
)

COUNTS = st.lists(st.sampled_from((0, 0, 1, 2, 7, 40, 3000, 10**6)), min_size=5, max_size=5).filter(
    any
)


def optimised(counts, condition) -> list[float]:
    """The likeliest distribution that meets a condition, by brute force."""
    weights = [count / sum(counts) for count in counts]
    found = minimize(
        lambda p: -sum(w * math.log(x) for w, x in zip(weights, p, strict=True)),
        [0.2] * 5,
        method="SLSQP",
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: sum(p) - 1},
            {"type": "eq", "fun": condition},
        ],
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return list(found.x)


@pytest.mark.parametrize("counts", [(3, 20, 60, 30, 9), (10, 1, 30, 1, 25), (39, 88, 267, 92, 44)])
@pytest.mark.parametrize("mean", [0.3, 0.5, 0.62])
def test_the_likeliest_with_a_mean_equals_the_result_of_an_optimiser(counts, mean) -> None:
    expected = optimised(counts, lambda p: compute_moments(p)[0] - mean)
    assert fit_with_mean(counts, mean) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("counts", [(3, 20, 60, 30, 9), (10, 1, 30, 1, 25), (39, 88, 267, 92, 44)])
@pytest.mark.parametrize("t", [-0.3, 0.0, 0.01, 0.5])
def test_the_likeliest_with_a_strength_equals_the_result_of_an_optimiser(counts, t) -> None:
    def condition(p) -> float:
        mean, variance = compute_moments(p)
        return mean - 0.5 - t * math.sqrt(variance)

    assert fit_with_strength(counts, t) == pytest.approx(optimised(counts, condition), abs=1e-6)


@given(COUNTS, st.floats(1e-9, 1 - 1e-9))
def test_a_likeliest_distribution_has_its_mean(counts, mean) -> None:
    found = fit_with_mean(counts, mean)
    assert sum(found) == pytest.approx(1, abs=1e-5)
    assert compute_moments(found)[0] == pytest.approx(mean, abs=1e-5)
    assert min(found) > 0


@given(COUNTS, st.floats(-200, 200))
def test_a_likeliest_distribution_has_its_strength(counts, normalised) -> None:
    t = normalised / NORMALISED
    found = fit_with_strength(counts, t)
    mean, variance = compute_moments(found)
    assert sum(found) == pytest.approx(1, abs=1e-5)
    assert mean - 0.5 == pytest.approx(t * math.sqrt(variance), abs=1e-5)
    assert min(found) > 0


@given(COUNTS, st.floats(0.001, 0.999))
def test_no_mean_is_likelier_than_the_observed_one(counts, mean) -> None:
    weights = replace_zeros(counts)
    observed = [weight / sum(weights) for weight in weights]
    assert compute_log_ratio(counts, observed, fit_with_mean(counts, mean)) > -1e-6


def test_moments_are_mean_and_variance() -> None:
    assert compute_moments((1, 0, 0, 0, 1)) == (0.5, 0.25)
    assert compute_moments((0, 0, 0, 7, 0)) == (0.75, 0)


def test_elo_and_share_are_inverse() -> None:
    assert convert_to_share(400) == pytest.approx(10 / 11)
    assert convert_to_elo(10 / 11) == pytest.approx(400)
    assert convert_to_share(0) == 0.5
    assert convert_to_elo(0.5) == 0
