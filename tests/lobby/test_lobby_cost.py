"""Joins and rankings do the same work whether few or many players are there."""

from __future__ import annotations

from tests.lobby.busy_lobby import measure, measure_ranking

MAX_RATIO = 1.5


def test_the_cost_of_joining_does_not_grow_with_the_waits() -> None:
    few, many = measure(0, 2), measure(2000, 2)
    ratios = {name: many[name][0].calls / few[name][0].calls for name in few}
    del ratios["list all games"]  # it lists none or the hundred newest
    assert {name: ratio for name, ratio in ratios.items() if ratio > MAX_RATIO} == {}


def test_the_cost_of_listing_games_does_not_grow_with_the_waits() -> None:
    some, many = measure(400, 1), measure(2000, 1)
    assert many["list all games"][0].calls <= MAX_RATIO * some["list all games"][0].calls


def test_the_cost_of_a_ranking_does_not_grow_with_the_nicks() -> None:
    few, many = measure_ranking(20, 1), measure_ranking(5000, 1)
    assert many[0].calls <= MAX_RATIO * few[0].calls
