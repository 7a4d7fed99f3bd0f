"""Intervals hold the true strengths, also of a bot far above the others and with few pairs."""

from __future__ import annotations

from statistics import mean

import pytest

from tests.intervals.coverage import FIELDS, GAMES, measure


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("pairs", [1, 3])
def test_intervals_of_an_outlier_hold_its_strength(pairs, games) -> None:
    coverage = measure(FIELDS["6, one far above"], pairs, games, 60)
    assert mean(coverage.best_held) > 0.9
    assert mean(coverage.held) > 0.9


def test_intervals_are_not_much_too_wide() -> None:
    assert mean(measure(FIELDS["4 within 300 Elo"], 10, "independent", 100).held) < 0.985
