"""The pairings of each format, and their order."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, islice, permutations

import pytest
from attrs import evolve

from tabnet.tournament.plan.schedule import schedule_games
from tests.tournament.made_results import missing_games, plan, strongest


@pytest.mark.parametrize("names", ["ab", "abc", "abcdef", "abcdefg"])
def test_in_a_round_robin_every_two_entrants_meet(names) -> None:
    drawn = list(schedule_games(plan(*names, pairs=3)))
    assert len({game.id for game in drawn}) == len(drawn)
    assert Counter(game.seats for game in drawn) == {
        seats: 3 for two in combinations(names, 2) for seats in (two, two[::-1])
    }


def test_the_games_of_a_pair_follow_each_other() -> None:
    drawn = list(schedule_games(plan(*"abcde")))
    for one, other in zip(drawn[::2], drawn[1::2], strict=True):
        assert (one.pair, one.seats) == (other.pair, other.seats[::-1])


def test_every_entrant_plays_once_before_any_plays_twice() -> None:
    drawn = [game.seats for game in schedule_games(plan(*"abcdef"))][::2]
    for first in range(0, len(drawn), 3):
        assert sorted("".join("".join(seats) for seats in drawn[first : first + 3])) == [*"abcdef"]


def test_every_two_meet_once_before_any_meet_again() -> None:
    drawn = list(schedule_games(plan(*"abcde", pairs=3)))
    assert [game.pair for game in drawn] == [0] * 20 + [1] * 20 + [2] * 20


def test_in_a_gauntlet_the_first_plays_the_others_in_turn() -> None:
    drawn = [game.seats for game in schedule_games(plan(*"bac", format="gauntlet"))]
    assert drawn == [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")] * 2


@pytest.mark.parametrize(("names", "seats"), [("abc", 3), ("abcde", 3), ("abcd", 4), ("abcde", 4)])
def test_more_than_two_entrants_play_in_all_orders(names, seats) -> None:
    drawn = list(schedule_games(plan(*names, seats=seats, pairs=2)))
    assert len({game.id for game in drawn}) == len(drawn)
    assert Counter(game.seats for game in drawn) == {
        order: 2 for some in combinations(names, seats) for order in permutations(some)
    }
    orders = math.factorial(seats)
    for first in range(0, len(drawn), orders):
        group = drawn[first : first + orders]
        assert len({(tuple(sorted(game.seats)), game.pair) for game in group}) == 1


def test_in_a_gauntlet_of_three_the_first_is_in_every_game() -> None:
    drawn = list(schedule_games(plan(*"bacd", seats=3, format="gauntlet", pairs=1)))
    assert {tuple(sorted(game.seats)) for game in drawn} == {
        ("a", "b", "c"),
        ("a", "b", "d"),
        ("b", "c", "d"),
    }
    assert len(drawn) == 18


def test_a_test_of_two_gives_pair_after_pair_up_to_its_maximum() -> None:
    drawn = schedule_games(plan("a", "b", format="sprt", pairs=10**9))
    assert [game.pair for game in islice(drawn, 6)] == [0, 0, 1, 1, 2, 2]
    assert len(list(schedule_games(plan("a", "b", format="sprt", pairs=5)))) == 10


def test_played_games_are_not_missing() -> None:
    small = plan(*"abc")
    drawn = list(schedule_games(small))
    played = [strongest("abc")(game) for game in drawn[3:9]]
    assert list(missing_games(small, played)) == drawn[:3] + drawn[9:]


def test_another_entrant_adds_its_games_and_changes_no_other() -> None:
    small = plan(*"abc")
    played = [strongest("abcd")(game) for game in schedule_games(small)]
    larger = evolve(small, names=("a", "b", "c", "d"))
    added = list(missing_games(larger, played))
    assert len(added) == 2 * 2 * 3
    assert all("d" in game.seats for game in added)
    assert {game.id for game in schedule_games(larger)} == {
        *(result.game.id for result in played),
        *(game.id for game in added),
    }


def test_more_pairs_add_to_those_that_were_played() -> None:
    small = plan(*"abc")
    played = [strongest("abc")(game) for game in schedule_games(small)]
    assert {game.pair for game in missing_games(evolve(small, pairs=4), played)} == {2, 3}
