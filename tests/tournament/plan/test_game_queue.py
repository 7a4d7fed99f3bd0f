"""The order of the games, and the games that are not played."""

from __future__ import annotations

from random import Random

import pytest

from tabnet.errors import StartError
from tabnet.tournament.plan.game_queue import GameQueue
from tabnet.tournament.plan.plan import make_plan
from tabnet.tournament.records.entrants_and_results import Result, ThinkingTime
from tabnet.tournament.records.results_of_matches import find_exit
from tabnet.tournament.stats.sprt import Hypotheses
from tests.tournament.made_results import run_sprt

SETTINGS = {
    "seed": "seed",
    "kind": "tab",
    "options": {"size": 7},
    "clock": {"move": 1},
    "format": "round-robin",
    "pairs": 2,
}


def plan(*names, **settings):
    return make_plan(SETTINGS | settings, names)


def result(game, winner=0, cause="normal", culprit=None):
    points = (int(winner == 0), int(winner == 1))
    nothing = (ThinkingTime(0, 0, 0),) * 2
    return Result(game, (winner,), points, cause, culprit, "", cause, 9, nothing)


def crash(game, name):
    seat = game.seats.index(name)
    return result(game, 1 - seat, "crash", seat)


def all_of(queue):
    """Begin everything that can be begun."""
    found = []
    while (game := queue.take_next()) is not None:
        found.append(game)
    return found


def test_all_games_are_begun_once():
    queue = GameQueue(plan("a", "b", "c"), {})
    games = all_of(queue)
    assert len({game.id for game in games}) == len(games) == queue.total == 12
    assert not queue.is_over
    for game in games:
        assert [each.game for each in queue.add_result(result(game))] == [game]
    assert queue.take_next() is None
    assert queue.is_over
    assert queue.running == {}


def test_earlier_results_are_not_played_again():
    games = all_of(GameQueue(plan("a", "b"), {}))
    queue = GameQueue(plan("a", "b"), {game.id: result(game) for game in games[:3]})
    assert all_of(queue) == games[3:]


def test_a_remote_bot_plays_one_game_at_a_time():
    queue = GameQueue(plan("a", "b", "c"), {}, one_at_a_time=frozenset({"a"}))
    create_tournament = all_of(queue)
    assert sum("a" in game.seats for game in create_tournament) == 1
    assert sum("a" not in game.seats for game in create_tournament) == 4
    mine = next(game for game in create_tournament if "a" in game.seats)
    queue.add_result(result(mine))
    (game,) = all_of(queue)
    assert "a" in game.seats


def test_three_crashes_in_a_row_forfeit_the_other_games():
    queue = GameQueue(plan("a", "b"), {})
    games = all_of(queue)
    for game in games[:2]:
        queue.add_result(crash(game, "a"))
    assert queue.out == {}
    queue.add_result(crash(games[2], "a"))
    assert queue.out == {"a": 2}
    forfeit = queue.find_forfeit(games[3])
    assert forfeit.cause == "out"
    assert forfeit.game.seats[forfeit.winners[0]] == "b"
    assert queue.find_forfeit(games[2]) is None
    (kept,) = queue.add_result(result(games[3]))
    assert kept == forfeit


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (3, 0, 2, 1), (1, 3, 0, 2)])
def test_the_order_of_ends_does_not_change_exits(order):
    queue = GameQueue(plan("a", "b"), {})
    games = all_of(queue)
    kept = {}
    for place in order:
        for each in queue.add_result(crash(games[place], "a")):
            kept[each.game.id] = each
    assert [kept[game.id].cause for game in games] == ["crash"] * 3 + ["out"]
    assert queue.results == kept


def test_a_game_without_a_crash_restarts_the_count():
    queue = GameQueue(plan("a", "b", pairs=3), {})
    games = all_of(queue)
    for place, game in enumerate(games):
        queue.add_result(result(game) if place in (2, 5) else crash(game, "a"))
    assert queue.out == {}
    assert find_exit("a", games, queue.results) is None


def test_a_game_of_two_that_are_out_has_no_winner():
    queue = GameQueue(plan("a", "b", pairs=4), {})
    games = all_of(queue)
    for game in games[:3]:
        queue.add_result(crash(game, "a"))
    queue.out["b"] = 2
    forfeit = queue.find_forfeit(games[-1])
    assert (forfeit.winners, forfeit.culprit) == ((), 0)


def test_a_bot_that_was_out_is_out_after_a_resume():
    games = all_of(GameQueue(plan("a", "b"), {}))
    results = {game.id: crash(game, "a") for game in games[:3]}
    queue = GameQueue(plan("a", "b"), results)
    assert queue.out == {"a": 2}
    assert queue.find_forfeit(queue.take_next()).cause == "out"


def test_a_knockout_goes_on_when_its_matches_are_decided():
    queue = GameQueue(plan("a", "b", "c", "d", format="knockout", pairs=1), {})
    assert queue.total is None
    first = all_of(queue)
    assert len(first) == 4
    for game in first:
        winner = min(game.seats)
        queue.add_result(result(game, game.seats.index(winner)))
    final = all_of(queue)
    assert final
    assert {name for game in final for name in game.seats} <= {"a", "b", "c"}
    for game in final:
        queue.add_result(result(game, game.seats.index(min(game.seats))))
    assert all_of(queue) == []
    assert queue.is_over


def test_a_test_stops_at_its_end_and_drops_surplus_games():
    sprt = {"elo0": 0, "elo1": 200, "alpha": 0.1, "beta": 0.1}
    queue = GameQueue(plan("a", "b", format="sprt", pairs=1000, sprt=sprt), {})
    assert queue.total is None
    assert queue.remove_surplus() == []
    games = [queue.take_next() for _ in range(400)]
    last = games[-1]
    queue.add_result(result(last))  # it ended first, and is far ahead
    for number, game in enumerate(games):
        if queue.is_decided:
            break
        queue.add_result(result(game, game.seats.index("a" if number % 5 else "b")))
    assert queue.verdict.accepted == "H1"
    assert queue.take_next() is None
    assert queue.is_over
    assert queue.remove_surplus() == [last.id]
    assert len(queue.results) == 2 * queue.verdict.pairs


def test_a_test_is_judged_as_if_it_had_been_judged_at_once():
    """Whatever the order in which games ended, and though an exit changes what came before it."""
    settings = plan("a", "b", format="sprt", pairs=1000, sprt={"elo0": 0, "elo1": 5})
    queue = GameQueue(settings, {})
    games = [queue.take_next() for _ in range(60)]
    late, crashed = games[10], games[12:15]
    in_time = Random(5).sample([game for game in games if game is not late], 59)
    for game in [*in_time, late]:
        queue.add_result(crash(game, "b") if game in crashed else result(game, 0))
        assert queue.verdict == run_sprt(queue.results.values(), "a", "b", settings.sprt)
    assert queue.verdict.pairs == 30
    assert queue.out == {"b": 14}
    again = GameQueue(settings, {game.id: queue.results[game.id] for game in in_time})
    again.add_result(queue.results[late.id])
    assert again.verdict == queue.verdict


def test_settings_come_back_from_their_journal():
    among_two = plan("a", "b", format="sprt", pairs=9, sprt={"elo1": 7})
    assert among_two.sprt == Hypotheses(elo1=7)
    assert make_plan(among_two.export_settings() | {"later": 1}, ("a", "b")) == among_two
    assert among_two.export_settings().keys() == {*SETTINGS, "sprt"}
    among_three = plan("a", "b", "c", seats=3, max_moves=7)
    assert make_plan(among_three.export_settings(), ("a", "b", "c")) == among_three
    assert among_three.export_settings() == {**SETTINGS, "seats": 3, "max_moves": 7}
    with pytest.raises(StartError, match="the settings in the journal cannot be used"):
        make_plan({"seed": "s"}, ("a", "b"))
