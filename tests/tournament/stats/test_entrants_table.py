"""The table of a tournament."""

from __future__ import annotations

import math
from random import Random

import pytest
from attrs import astuple

from tabnet.tournament.plan.plan import make_games_of_pair
from tabnet.tournament.plan.schedule import schedule_games
from tabnet.tournament.records.entrants_and_results import Blame, ThinkingTime, sum_thinking_times
from tabnet.tournament.stats.crosstable import WinDrawLoss
from tabnet.tournament.stats.entrants_table import make_rating_table
from tabnet.tournament.stats.head_to_head import compare_bots
from tests.tournament.made_results import counted, paired, plan, strongest, won


def played(names, seed=1, pairs=6):
    """A round-robin in which who is named first has better chances."""
    random = Random(seed)
    return [
        won(game, min(random.choices(game.seats, k=2), key=names.index))
        for game in schedule_games(plan(*names, pairs=pairs))
    ]


def test_the_best_comes_first() -> None:
    found = make_rating_table(played("abcd", pairs=40), "dbca")
    assert [row.name for row in found.rows] == ["a", "b", "c", "d"]
    assert sum(row.rating.value for row in found.rows) == pytest.approx(0, abs=1e-6)
    assert all(row.rating.low < row.rating.value < row.rating.high for row in found.rows)
    assert found.notes == ()


def test_among_equals_the_names_decide() -> None:
    assert [row.name for row in make_rating_table([], "cab").rows] == ["a", "b", "c"]
    drawn = [won(game, None) for game in schedule_games(plan(*"gfedcba", pairs=3))]
    assert [row.name for row in make_rating_table(drawn, "gfedcba").rows] == [*"abcdefg"]


def test_the_order_of_the_results_is_irrelevant() -> None:
    results = played("abcd")
    found = make_rating_table(results, "abcd")
    for seed in range(5):
        assert make_rating_table(Random(seed).sample(results, len(results)), "abcd") == found


def test_games_points_and_seats_are_counted() -> None:
    a, b = make_rating_table(paired("a", "b", [(1, 0.5), (1, 0), (1, 1)])[:-1], "ab").rows
    assert (a.name, a.games, a.score) == ("a", 5, 3.5)
    assert a.seats == (WinDrawLoss(3, 0, 0), WinDrawLoss(0, 1, 1))
    assert b.seats == (WinDrawLoss(1, 1, 0), WinDrawLoss(0, 0, 3))


def test_causes_of_loss_and_faults_are_counted() -> None:
    drawn = list(schedule_games(plan("a", "b", pairs=4)))
    results = [
        won(drawn[0], "b"),
        won(drawn[1], "b", cause="crash", culprit=1),
        won(drawn[2], "b", cause="crash", culprit=0),
        won(drawn[3], "b", cause="timeout_move", culprit=1),
        won(drawn[4], "a", cause="start_failed", culprit=1),
        won(drawn[5], None, cause="max_moves"),
    ]
    rows = {row.name: row for row in make_rating_table(results, "ab").rows}
    assert list(rows["a"].causes.items()) == [("normal", 1), ("timeout_move", 1), ("crash", 2)]
    assert rows["b"].causes == {"start_failed": 1}
    assert (rows["a"].faults, rows["b"].faults) == (2, 1)


def test_thinking_and_moves() -> None:
    one, other = make_games_of_pair(plan("a", "b"), "ab", 0)
    slow, quick = ThinkingTime(10, 400, 90, 7.5), ThinkingTime(30, 40, 8, 3.0)
    results = [
        won(one, "a", thinking=(slow, quick), moves=60),
        won(other, "a", thinking=(quick, ThinkingTime(10, 100, 95, 0.5)), moves=80),
    ]
    a, b = make_rating_table(results, "ab").rows
    assert a.pace == ThinkingTime(decisions=20, total_ms=500, longest_ms=95, cpu_ms=8.0)
    assert a.pace.mean_cpu_ms == 0.4
    assert b.pace == ThinkingTime(decisions=60, total_ms=80, longest_ms=8, cpu_ms=6.0)
    assert a.moves == b.moves == 70


def test_cpu_time_is_unknown_if_that_of_one_game_is() -> None:
    games = ThinkingTime(10, 100, 95, 0.5), ThinkingTime(10, 100, 95), ThinkingTime(0, 0, 0)
    assert sum_thinking_times(games).cpu_ms is None
    assert sum_thinking_times(games).mean_cpu_ms is None
    assert sum_thinking_times(games[::2]).cpu_ms == 0.5
    assert sum_thinking_times(games[2:]).cpu_ms is None


def test_superiority_is_in_the_order_of_the_rows() -> None:
    found = make_rating_table(played("abc", pairs=30), "cba")
    assert [row.name for row in found.rows] == ["a", "b", "c"]
    for i in range(3):
        assert found.superiority[i][i] == 0.5
        for j in range(i):
            assert found.superiority[j][i] > 0.5
            assert found.superiority[i][j] == pytest.approx(1 - found.superiority[j][i])
    assert found.superiority[0][2] > found.superiority[0][1]


@pytest.mark.parametrize(
    "pentanomial", [(4, 10, 60, 30, 12), (0, 0, 20, 0, 0), (0, 0, 0, 0, 3), (0, 0, 1, 0, 0)]
)
def test_a_tournament_of_two_agrees_with_their_comparison(pentanomial) -> None:
    results = counted("a", "b", pentanomial)[:-1]
    found, between = make_rating_table(results, "ab"), compare_bots(results, "a", "b")
    assert astuple(between.elo) == pytest.approx(
        [2 * limit for limit in astuple(found.rows[0].rating)], abs=1e-5
    )
    assert between.superiority == found.superiority[0][1]


def test_the_variance_ratio_is_that_of_all_duels() -> None:
    assert make_rating_table(paired("a", "b", [(1, 0), (0, 1)]), "ab").variance_ratio == 0
    same = paired("a", "b", [(1, 0), (0, 1)]) + paired("a", "c", [(1, 1), (0, 0)])
    assert make_rating_table(same, "abc").variance_ratio == pytest.approx(1)


def test_pairs_with_throws_of_their_own_are_rated_and_have_no_variance_ratio() -> None:
    results = paired("a", "b", [(1, 0), (0, 1)]) + paired("a", "c", [(1, 1), (0, 0)])
    every = make_rating_table(results, "abc")
    found = make_rating_table(results, "abc", lambda names: "c" in names)
    assert (every.variance_ratio, found.variance_ratio) == (pytest.approx(1), 0)
    assert found.rows == every.rows
    assert make_rating_table(results, "abc", lambda _: True).variance_ratio is None


@pytest.mark.parametrize("count", [0, 1, 2, 3, 8, 24])
def test_every_number_is_finite_however_few_the_results(count) -> None:
    results = [strongest("abc")(game) for game in schedule_games(plan(*"abc", pairs=4))][:count]
    found = make_rating_table(results, "abc")
    numbers = [n for row in found.rows for n in (*astuple(row.rating), row.moves)]
    assert all(math.isfinite(number) for number in numbers)
    assert all(0 < chance < 1 for row in found.superiority for chance in row)
    assert found.variance_ratio is None
    assert found.notes


def test_a_bot_without_games_has_an_empty_row() -> None:
    row = make_rating_table(played("ab"), "abc").rows[1]
    assert (row.name, row.games, row.score, row.moves, row.faults) == ("c", 0, 0, 0, 0)
    assert row.seats == (WinDrawLoss(0, 0, 0), WinDrawLoss(0, 0, 0))
    assert row.pace == ThinkingTime(0, 0, 0)
    assert row.causes == {}


def test_among_three_places_are_counted_in_each_seat() -> None:
    names, first = "abc", {"a": 1, "b": 2, "c": 2}
    results = [
        won(game, "a", places=tuple(first[name] for name in game.seats))
        for game in make_games_of_pair(plan(*names, seats=3), names, 0)
    ]
    found = make_rating_table(results, names)
    a, b, c = found.rows
    assert (found.seats, [row.name for row in found.rows]) == (3, ["a", "b", "c"])
    assert (a.score, a.place, a.places) == (6, 1, ((2, 0, 0),) * 3)
    assert (b.score, b.place, b.places) == (1.5, 2.5, ((0, 2, 0),) * 3)
    assert (a.seats, c.seats) == ((WinDrawLoss(2, 0, 0),) * 3, (WinDrawLoss(0, 0, 2),) * 3)


def test_among_three_each_has_causes_and_faults_of_its_own() -> None:
    one, other = list(make_games_of_pair(plan(*"abc", seats=3), "abc", 0))[:2]
    went_on = won(one, "a", places=(1, 3, 2), removed=(Blame(1, "crash", ""),))
    ended = won(
        other,
        "a",
        places=(1, 3, 2),
        cause="timeout_move",
        culprit=2,
        removed=(Blame(1, "illegal_move", ""),),
    )
    rows = {row.name: row for row in make_rating_table([went_on, ended], "abc").rows}
    assert other.seats == ("a", "c", "b")
    assert rows["a"].causes == {}
    assert (rows["b"].causes, rows["b"].faults) == ({"crash": 1, "timeout_move": 1}, 1)
    assert (rows["c"].causes, rows["c"].faults) == ({"normal": 1, "illegal_move": 1}, 0)


def test_shared_places_are_draws_and_share_the_mean() -> None:
    game = next(make_games_of_pair(plan(*"abc", seats=3), "abc", 0))
    rows = {
        row.name: row for row in make_rating_table([won(game, None, places=(1, 1, 3))], "abc").rows
    }
    assert [rows[name].place for name in "abc"] == [1.5, 1.5, 3]
    assert rows["b"].seats[1] == WinDrawLoss(0, 1, 0)
    assert rows["b"].places[1] == (1, 0, 0)
