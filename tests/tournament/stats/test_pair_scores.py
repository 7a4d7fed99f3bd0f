"""Pairs of games."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from tabnet.tournament.plan.plan import make_games_of_pair
from tabnet.tournament.stats.pair_scores import (
    compute_variance_ratio,
    find_finished_pairs,
    group_scores,
)
from tests.tournament.made_results import apart, paired, plan, simulated, won


def test_results_are_grouped_by_opponents_and_pair() -> None:
    results = paired("b", "a", [(1, 0.5), (0, 1)]) + paired("c", "a", [(1, 1)])
    assert group_scores(results) == apart(
        {("a", "b"): {0: (0.5, 0), 1: (0, 1)}, ("a", "c"): {0: (0, 0)}}
    )


def test_the_order_of_the_results_is_irrelevant() -> None:
    results = paired("b", "a", [(1, 0.5), (0, 1)]) + paired("c", "a", [(1, 1)])
    shuffled = Random(2).sample(results, len(results))
    assert list(group_scores(shuffled).items()) == list(group_scores(results).items())
    assert [number for _, number in group_scores(shuffled)["a", "b"]] == [0, 1]


def test_finished_pairs_can_be_seen_from_either_side() -> None:
    results = paired("a", "b", [(1, 0.5), (0, 1), (1, 1)])[:-1] + paired("a", "c", [(1, 1)])
    assert find_finished_pairs(results, "a", "b") == {0: (1, 0.5), 1: (0, 1)}
    assert find_finished_pairs(results, "b", "a") == {0: (0.5, 0), 1: (0, 1)}
    assert find_finished_pairs(results, "b", "c") == {}


def test_pairs_that_cancel_have_no_variance() -> None:
    assert compute_variance_ratio([{0: (1, 0), 1: (0, 1), 2: (1, 0)}]) == 0


def test_games_that_end_alike_have_twice_the_variance() -> None:
    assert compute_variance_ratio([{0: (1, 1), 1: (0, 0), 2: (1, 1)}]) == pytest.approx(2)


def test_games_that_have_nothing_in_common_keep_their_variance() -> None:
    (pairs,) = simulated({"a": 0, "b": 80}, 20_000, 0.0, Random(3)).values()
    assert compute_variance_ratio([pairs]) == pytest.approx(1, abs=0.03)


def test_an_advantage_of_a_seat_or_a_bot_is_no_variance() -> None:
    assert compute_variance_ratio([{0: (1, 0), 1: (1, 0)}, {0: (1, 1), 1: (1, 1)}]) is None


def test_unfinished_and_single_pairs_have_no_variance() -> None:
    assert compute_variance_ratio([]) is None
    assert compute_variance_ratio([{0: (1, 0), 1: (0,)}, {}]) is None


def test_in_a_group_of_three_every_two_meet_in_every_game() -> None:
    three = plan(*"abc", seats=3)
    placed = {name: place for place, name in enumerate("bca", 1)}
    results = [
        won(game, None, places=tuple(placed[name] for name in game.seats))
        for game in make_games_of_pair(three, "abc", 4)
    ]
    group = (("a", "b", "c"), 4)
    assert group_scores(results) == {
        ("a", "b"): {group: (0,) * 6},
        ("a", "c"): {group: (0,) * 6},
        ("b", "c"): {group: (1,) * 6},
    }
    results[0] = evolve(results[0], moves=0, places=(2, 1, 1), cause="crash", culprit=0)
    assert group_scores(results)["b", "c"] == {group: (1,) * 5}


def test_two_bots_without_a_score_in_a_game_that_never_began_have_no_group() -> None:
    game = next(make_games_of_pair(plan("a", "b", "c", seats=3), "abc", 0))
    absent = won(game, None, places=(1, 1, 3), moves=0, cause="start_failed", culprit=2)
    assert set(group_scores([absent])) == {("a", "c"), ("b", "c")}


def test_the_variance_of_groups_is_that_of_their_sums() -> None:
    swings = [(1, 0, 1, 0, 1, 0), (0, 1, 0, 1, 0, 1)]
    assert compute_variance_ratio([dict(enumerate(swings))], 6) == 0
    assert compute_variance_ratio([{0: (1,) * 6, 1: (0,) * 6}], 6) == pytest.approx(6)
    assert compute_variance_ratio([{0: (1, 0), 1: (0, 0)}], 6) is None
