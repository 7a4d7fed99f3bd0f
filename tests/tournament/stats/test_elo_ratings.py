"""Ratings, beside choix, the normal distribution, and tournaments whose truth is known."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from random import Random

import choix
import pytest

from tabnet.tournament.stats.elo_ratings import SPREAD, Ratings, fit_ratings
from tabnet.tournament.stats.sprt_likelihood import ELO
from tests.tournament.made_results import apart, simulated, simulated_places

Z95 = 1.96
KNOWN = {"a": 150.0, "b": 40.0, "c": -40.0, "d": -150.0}


def swept(names, pairs) -> Ratings:
    """The first bot wins all games."""
    scores = dict.fromkeys(range(pairs), (1.0, 1.0))
    return fit_ratings(names, apart(dict.fromkeys(combinations(names, 2), scores)))


def test_ratings_equal_those_of_choix() -> None:
    pairs = simulated({"a": 0, "b": 100, "c": 250, "d": 400}, 25, 0.3, Random(6))
    pairs["a", "b"][("a", "b"), 7] = (0.5, 0.5)
    pairs["b", "c"][("b", "c"), 9] = (1.0, 0.5)
    won = [
        two
        for (one, other), scores in pairs.items()
        for pair in scores.values()
        for score in pair
        for two in [(one, other)] * round(2 * score) + [(other, one)] * round(2 - 2 * score)
    ]
    data = [("abcd".index(winner), "abcd".index(loser)) for winner, loser in won]
    # every game summary there as two, against a penalty that is twice as large
    expected = choix.opt_pairwise(4, data, alpha=1 / SPREAD**2, tol=1e-12)
    assert [elo / ELO for elo in fit_ratings("abcd", pairs).elo] == pytest.approx(
        expected, abs=1e-5
    )


def test_the_mean_rating_is_0_and_the_order_of_names_is_irrelevant() -> None:
    pairs = simulated(KNOWN, 12, 0.3, Random(7))
    one, other = fit_ratings("abcd", pairs), fit_ratings("dcba", pairs)
    assert sum(one.elo) == pytest.approx(0, abs=1e-6)
    assert one.elo == pytest.approx(other.elo[::-1])
    for i in range(4):
        assert one.compute_deviation(i) == pytest.approx(other.compute_deviation(3 - i))
        assert sum(one.covariance[i]) == pytest.approx(0, abs=1e-6)


def test_the_difference_of_two_is_that_of_their_share_and_varies_as_its_pairs() -> None:
    scores = simulated({"a": 60, "b": 0}, 400, 0.5, Random(8))["a", "b"]
    shares = [sum(pair) / 2 for pair in scores.values()]
    mean = sum(shares) / 400
    error = math.sqrt(sum((share - mean) ** 2 for share in shares) / 399 / 400)
    found = fit_ratings("ab", {("a", "b"): scores})
    logit = math.log(mean / (1 - mean))
    assert found.elo[0] - found.elo[1] == pytest.approx(ELO * logit, rel=0.01)
    assert found.compute_difference(0, 1) == pytest.approx(
        math.log(mean / (1 - mean)) * mean * (1 - mean) / error, rel=0.01
    )
    assert found.compute_difference(1, 0) == pytest.approx(-found.compute_difference(0, 1))
    assert 2 * found.compute_deviation(0) == pytest.approx(
        error / mean / (1 - mean) * ELO, rel=0.01
    )


def test_intervals_of_few_pairs_use_the_sample_variance() -> None:
    shares = (1.0, 0.5, 0.5, 0.0)
    found = fit_ratings("ab", {("a", "b"): {i: (share,) * 2 for i, share in enumerate(shares)}})
    error = math.sqrt(sum((share - 0.5) ** 2 for share in shares) / 3 / 4)
    assert 2 * found.compute_deviation(0) == pytest.approx(error * 4 * ELO, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("alike", "pairs"), [(0.9, 30), (0.9, 100), (0.0, 30)])
def test_intervals_cover_the_truth_in_95_of_100_tournaments(alike, pairs) -> None:
    random, covered, tournaments = Random(9), 0, 500
    for _ in range(tournaments):
        found = fit_ratings("abcd", simulated(KNOWN, pairs, alike, random))
        covered += sum(
            abs(elo - true) < Z95 * found.compute_deviation(i)
            for i, (elo, true) in enumerate(zip(found.elo, KNOWN.values(), strict=True))
        )
    assert 0.93 < covered / tournaments / 4 < 0.97


@pytest.mark.slow
def test_intervals_with_independent_games_of_a_pair_would_cover_less() -> None:
    random, covered, tournaments = Random(9), 0, 200
    for _ in range(tournaments):
        alone = {
            two: {
                (pair, i): (score,)
                for pair, scores in pairs.items()
                for i, score in enumerate(scores)
            }
            for two, pairs in simulated(KNOWN, 30, 0.9, random).items()
        }
        found = fit_ratings("abcd", alone)
        covered += abs(found.elo[0] - KNOWN["a"]) < Z95 * found.compute_deviation(0)
    assert covered / tournaments < 0.9


def test_pairs_that_cancel_make_narrow_intervals() -> None:
    mirrored = {pair: (1.0, 0.0) if pair % 9 else (1.0, 1.0) for pair in range(90)}
    alike = {pair: (float(pair % 9 < 5),) * 2 for pair in range(90)}
    one, other = (fit_ratings("ab", {("a", "b"): scores}) for scores in (mirrored, alike))
    assert one.elo == pytest.approx(other.elo, abs=1)
    assert one.compute_deviation(0) < other.compute_deviation(0) / 2


def test_a_bot_without_games_has_a_rating_of_0_and_a_wide_interval() -> None:
    found = fit_ratings("abc", {("a", "b"): dict.fromkeys(range(20), (1.0, 0.0))})
    assert found.elo[2] == pytest.approx(0)
    assert found.compute_deviation(2) > 500
    nobody = fit_ratings("ab", {})
    assert nobody.elo == (0, 0)
    assert nobody.compute_deviation(0) == pytest.approx(800 / math.sqrt(2))
    assert nobody.compute_difference(0, 1) == 0


def test_groups_that_never_met_have_intervals_inside_and_nothing_between() -> None:
    mixed = {pair: ((1.0, 0.0), (1.0, 1.0), (0.0, 0.0))[pair % 3] for pair in range(60)}
    found = fit_ratings("abcd", apart({("a", "b"): mixed, ("c", "d"): mixed}))
    assert found.compute_deviation(0) > 300
    inside = found.covariance[0][0] + found.covariance[1][1] - 2 * found.covariance[0][1]
    assert math.sqrt(inside) < 60


def test_one_game_gives_a_wide_interval() -> None:
    found = fit_ratings("ab", {("a", "b"): {0: (1.0,)}})
    assert 0 < found.elo[0] < Z95 * found.compute_deviation(0) < 1000


@pytest.mark.parametrize("pairs", [1, 3, 10, 1000])
def test_more_games_won_without_a_loss_mean_a_higher_rating(pairs) -> None:
    found, before = swept("abcde", pairs), swept("abcde", max(pairs - 1, 1))
    assert [*found.elo] == sorted(found.elo, reverse=True)
    assert found.elo[0] >= before.elo[0]
    assert all(math.isfinite(elo) and abs(elo) < 3000 for elo in found.elo)
    assert all(0 < found.compute_deviation(i) < 500 for i in range(5))
    clear = [found.compute_difference(i, i + 1) > Z95 for i in range(4)]
    assert all(clear) if pairs >= 10 else not any(clear)


def test_equal_pairs_without_variance_leave_some_doubt() -> None:
    few, many = (
        fit_ratings("ab", {("a", "b"): dict.fromkeys(range(pairs), (1.0, 0.0))})
        for pairs in (1, 100)
    )
    assert few.elo == many.elo == (0, 0)
    assert few.compute_deviation(0) > 50 > 2 > many.compute_deviation(0) > 0.5


def test_a_clean_sweep_that_others_bound_changes_no_other_rating() -> None:
    """The chain of its neighbours tells the distance: a sweep from end to end agrees with it."""
    chain = {pair: (1.0, 1.0) if pair % 10 else (0.0, 1.0) for pair in range(200)}
    pairs = dict.fromkeys(pairwise("abc"), chain)
    without = fit_ratings("abc", apart(pairs)).elo
    sweep = dict.fromkeys(range(20), (1.0, 1.0))
    with_sweep = fit_ratings("abc", apart({**pairs, ("a", "c"): sweep})).elo
    assert with_sweep == pytest.approx(without, abs=10)
    assert with_sweep[0] > without[0]


def test_a_circle_of_single_sweeps_beside_bots_without_games() -> None:
    sweep = {0: (1.0, 1.0)}
    pairs = {("a", "b"): sweep, ("b", "c"): sweep, ("a", "c"): {0: (0.0, 0.0)}}
    found = fit_ratings("abcdef", apart(pairs))
    assert found.elo == pytest.approx((0,) * 6, abs=1e-6)
    assert all(found.compute_deviation(i) > 100 for i in range(6))


@pytest.mark.slow
def test_a_hundred_thousand_games_converge() -> None:
    scores = {pair: (1.0, 1.0) if pair % 1000 else (0.0, 0.5) for pair in range(50_000)}
    found = fit_ratings("ab", {("a", "b"): scores})
    share = 1 - 1.5 / 2000
    assert found.elo[0] - found.elo[1] == pytest.approx(
        ELO * math.log(share / (1 - share)), rel=0.01
    )


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "alike"), [(3, 0.9), (3, 0.5), (3, 0.0), (4, 0.5)])
def test_among_more_than_two_the_order_is_found_and_intervals_cover_the_truth(seats, alike) -> None:
    random, covered, in_order, tournaments, groups = Random(9), 0, 0, 200, 60 // (seats - 1)
    for _ in range(tournaments):
        found = fit_ratings("abcd", simulated_places(KNOWN, seats, groups, alike, random))
        in_order += list(found.elo) == sorted(found.elo, reverse=True)
        covered += sum(
            abs(elo - true) < Z95 * found.compute_deviation(i)
            for i, (elo, true) in enumerate(zip(found.elo, KNOWN.values(), strict=True))
        )
    assert in_order / tournaments > 0.9
    assert 0.92 < covered / tournaments / 4 < 0.97


@pytest.mark.slow
def test_intervals_with_independent_points_of_a_game_would_cover_less() -> None:
    random, covered, tournaments = Random(9), 0, 100
    for _ in range(tournaments):
        pairs = simulated_places(KNOWN, 3, 30, 0.9, random)
        alone = {
            two: {
                (two, key, i): (score,)
                for key, each in scores.items()
                for i, score in enumerate(each)
            }
            for two, scores in pairs.items()
        }
        found = fit_ratings("abcd", alone)
        covered += abs(found.elo[0] - KNOWN["a"]) < Z95 * found.compute_deviation(0)
    assert covered / tournaments < 0.8


def test_one_group_of_three_has_finite_ratings() -> None:
    circle = {("a", "b"): 1.0, ("b", "c"): 1.0, ("a", "c"): 0.0}
    for scores in (circle, dict.fromkeys(circle, 1.0), dict.fromkeys(circle, 0.5)):
        found = fit_ratings("abc", {two: {("abc", 0): (won,) * 6} for two, won in scores.items()})
        assert all(math.isfinite(elo) and abs(elo) < 1000 for elo in found.elo)
        assert all(0 < found.compute_deviation(i) < 1000 for i in range(3))
