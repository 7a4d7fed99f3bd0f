"""Student's t distribution and the normal one, beside scipy."""

from __future__ import annotations

import pytest
from scipy.stats import norm, t

from tabnet.tournament.stats.intervals import Z95, compute_normal_cdf, narrow, widen


def test_the_normal_distribution() -> None:
    for deviations in (-8, -1, 0, 0.3, 5):
        assert compute_normal_cdf(deviations) == pytest.approx(norm.cdf(deviations))
    assert norm.ppf(0.975) == pytest.approx(Z95)


@pytest.mark.parametrize(
    ("freedom", "error"), [(2, 0.041), (3, 0.012), (5, 0.003), (30, 1e-4), (10**6, 1e-6)]
)
def test_limits_of_few_groups_are_those_of_the_t_distribution_or_a_little_wider(
    freedom, error
) -> None:
    exact = t.ppf(0.975, freedom)
    assert exact <= widen(Z95, freedom) * (1 + 1e-9)
    assert widen(Z95, freedom) == pytest.approx(exact, rel=error)


def test_narrowing_is_the_inverse_with_a_sign() -> None:
    for deviations in (0, 0.1, 1, 5):
        assert narrow(widen(deviations, 4), 4) == pytest.approx(deviations)
        assert narrow(-widen(deviations, 4), 4) == pytest.approx(-deviations)
