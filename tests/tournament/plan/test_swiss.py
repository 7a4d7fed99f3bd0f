"""Swiss tournaments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from tabnet.tournament.plan.schedule import schedule_games
from tabnet.tournament.records.entrants_and_results import Result, ScheduledGame, sum_scores
from tests.tournament.made_results import missing_games, plan, strongest, won


def played_out(swiss, play) -> list[Result]:
    """All results, game after game."""
    played: list[Result] = []
    while due := list(missing_games(swiss, played)):
        played += [play(game) for game in due]
    return played


def matches(results, in_round) -> set[str]:
    return {"".join(sorted(each.game.seats)) for each in results if each.game.round == in_round}


def test_entrants_with_equal_scores_play_each_other() -> None:
    results = played_out(plan(*"abcdefgh", format="swiss"), strongest("abcdefgh"))
    assert matches(results, 0) == {"ab", "cd", "ef", "gh"}
    assert matches(results, 1) == {"ac", "eg", "bd", "fh"}
    assert matches(results, 2) == {"ae", "bc", "fg", "dh"}


def test_the_number_of_rounds_determines_a_winner() -> None:
    results = played_out(plan(*"hgfedcba", format="swiss"), strongest("abcdefgh"))
    assert {each.game.round for each in results} == {0, 1, 2}
    assert sum_scores(results)["a"] == 3 * 4


def test_the_next_round_is_drawn_when_the_last_game_has_been_played() -> None:
    swiss = plan(*"abcd", format="swiss", pairs=1)
    first = list(schedule_games(swiss))
    assert {game.round for game in first} == {0}
    played = [strongest("abcd")(game) for game in first]
    assert list(missing_games(swiss, played[1:])) == first[:1]
    assert {game.round for game in missing_games(swiss, played)} == {1}


def test_the_order_of_the_results_is_irrelevant() -> None:
    swiss = plan(*"abcdefg", format="swiss", pairs=1)
    results = played_out(swiss, strongest("gbfdace"))
    shuffled = Random(1).sample(results, len(results))
    assert list(schedule_games(swiss, shuffled)) == list(schedule_games(swiss, results))


def test_the_last_entrant_has_one_bye_that_counts_as_won() -> None:
    swiss = plan(*"abcde", format="swiss", rounds=4, pairs=1)
    results = played_out(swiss, strongest("abcde"))
    playing = [set("".join(matches(results, in_round))) for in_round in range(4)]
    byes = ["".join(set("abcde") - names) for names in playing]
    assert byes == ["e", "d", "c", "b"]
    # with its bye, e is equal to the winners of the first round, and meets one of them
    assert matches(results, 1) == {"ac", "be"}


@pytest.mark.parametrize("count", [2, 3, 6, 7, 16, 25])
def test_no_match_is_repeated_in_the_default_rounds(count) -> None:
    swiss = plan(*numbered(count), format="swiss", pairs=1)
    for seed in range(5):
        results = played_out(swiss, by_chance(seed))
        assert set(Counter(each.game.seats for each in results).values()) == {1}


def test_repeated_matches_have_new_games() -> None:
    swiss = plan(*numbered(16), format="swiss", pairs=1, rounds=15)
    results = [played_out(swiss, by_chance(seed)) for seed in range(5)]
    for played in results:
        assert len({each.game.id for each in played}) == len(played) == 15 * 16
    assert any(each.game.pair == 1 for played in results for each in played)


def numbered(count) -> list[str]:
    return [f"{number:02}" for number in range(count)]


def by_chance(seed) -> Callable[[ScheduledGame], Result]:
    random = Random(seed)
    return lambda game: won(game, random.choice(game.seats))
