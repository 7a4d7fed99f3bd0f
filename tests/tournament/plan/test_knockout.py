"""Knockout tournaments."""

from __future__ import annotations

from random import Random

import pytest

from tabnet.tournament.plan.knockout import compute_bracket
from tabnet.tournament.plan.schedule import schedule_games
from tabnet.tournament.records.entrants_and_results import Result
from tests.tournament.made_results import missing_games, plan, strongest, won


def matches(drawn, in_round) -> list[str]:
    """In the order of play."""
    found = ["".join(sorted(game.seats)) for game in drawn if game.round == in_round]
    return list(dict.fromkeys(found))


def played_out(knockout, play) -> list[Result]:
    played: list[Result] = []
    while due := list(missing_games(knockout, played)):
        played += [play(game) for game in due]
    return played


def test_the_first_entrants_meet_as_late_as_possible() -> None:
    knockout = plan(*"abcdefgh", format="knockout")
    results = played_out(knockout, strongest("abcdefgh"))
    drawn = [each.game for each in results]
    assert matches(drawn, 0) == ["ah", "de", "bg", "cf"]
    assert matches(drawn, 1) == ["ad", "bc"]
    assert matches(drawn, 2) == ["ab"]
    assert compute_bracket(knockout, results)[1] == "a"
    assert len(results) == 7 * 2 * 2


def test_the_first_have_byes() -> None:
    knockout = plan(*"abcde", format="knockout")
    drawn = list(schedule_games(knockout))
    assert matches(drawn, 0) == ["de"]
    assert matches(drawn, 1) == ["bc"]
    assert compute_bracket(knockout, [])[1] is None


def test_a_match_is_drawn_as_soon_as_both_are_known() -> None:
    knockout = plan(*"abcd", format="knockout", pairs=1)
    first, second, *_ = drawn = list(schedule_games(knockout))
    assert len(drawn) == 4
    played = [strongest("abcd")(game) for game in (first, second)]
    assert list(missing_games(knockout, played)) == drawn[2:]
    played += [strongest("abcd")(game) for game in drawn[2:]]
    assert matches(schedule_games(knockout, played), 1) == ["ab"]
    assert compute_bracket(knockout, played)[1] is None


def test_an_equal_match_continues_pair_by_pair() -> None:
    knockout = plan("a", "b", format="knockout", pairs=3)
    drawn = list(schedule_games(knockout))
    assert len(drawn) == 6
    played = [won(game, game.seats[0]) for game in drawn]
    fourth = list(missing_games(knockout, played))
    assert [game.pair for game in fourth] == [3, 3]
    played += [won(game, None) for game in fourth]
    fifth = list(missing_games(knockout, played))
    assert [game.pair for game in fifth] == [4, 4]
    played += [won(fifth[0], None), won(fifth[1], "b")]
    assert list(missing_games(knockout, played)) == []
    assert compute_bracket(knockout, played)[1] == "b"


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_a_match_that_stays_equal_goes_to_the_first_in_the_plan(names) -> None:
    knockout = plan(*names, format="knockout", pairs=3)
    results = played_out(knockout, lambda game: won(game, None))
    assert len(results) == 2 * 3 * 2
    assert compute_bracket(knockout, results)[1] == names[0]


@pytest.mark.parametrize("count", range(2, 18))
def test_every_entrant_but_the_champion_loses_one_match(count) -> None:
    names = [f"{number:02}" for number in range(count)]
    random = Random(count)
    knockout = plan(*names, format="knockout", pairs=1)
    results = played_out(knockout, lambda game: won(game, random.choice([*game.seats, None])))
    played = {tuple(sorted(each.game.seats)) for each in results}
    assert len(played) == count - 1
    assert {name for two in played for name in two} == set(names)
    assert compute_bracket(knockout, results)[1] in names
