"""What is played next, and what is not played any more."""

from __future__ import annotations

from random import Random

import pytest

from tabnet.errors import StartError
from tabnet.tournament.plan.game_queue import GameQueue
from tabnet.tournament.plan.settings import Settings, settings_from
from tabnet.tournament.records.match_results import place_of_exit
from tabnet.tournament.records.results import Result, ThinkingTime
from tabnet.tournament.stats.sprt import Hypotheses, sprt

SETTINGS = Settings("seed", "tab", {"size": 7}, {"move": 1}, "round-robin", 2)


def plan(*names, **settings):
    return settings_from(SETTINGS.to_json() | settings).plan(names)


def result(game, winner=0, cause="normal", culprit=None):
    points = (int(winner == 0), int(winner == 1))
    nothing = (ThinkingTime(0, 0, 0),) * 2
    return Result(game, (winner,), points, cause, culprit, "", cause, 9, nothing)


def crash(game, name):
    seat = game.seats.index(name)
    return result(game, 1 - seat, "crash", seat)


def all_of(docket):
    """Begin everything that can be begun."""
    found = []
    while (game := docket.next()) is not None:
        found.append(game)
    return found


def test_all_games_are_begun_once():
    docket = GameQueue(plan("a", "b", "c"), {})
    games = all_of(docket)
    assert len({game.id for game in games}) == len(games) == docket.total == 12
    assert not docket.is_over
    for game in games:
        assert [each.game for each in docket.settle(result(game))] == [game]
    assert docket.next() is None
    assert docket.is_over
    assert docket.running == {}


def test_what_was_played_before_is_not_played_again():
    games = all_of(GameQueue(plan("a", "b"), {}))
    docket = GameQueue(plan("a", "b"), {game.id: result(game) for game in games[:3]})
    assert all_of(docket) == games[3:]


def test_who_can_play_one_game_at_a_time_waits():
    docket = GameQueue(plan("a", "b", "c"), {}, one_at_a_time=frozenset({"a"}))
    begun = all_of(docket)
    assert sum("a" in game.seats for game in begun) == 1
    assert sum("a" not in game.seats for game in begun) == 4
    mine = next(game for game in begun if "a" in game.seats)
    docket.settle(result(mine))
    (game,) = all_of(docket)
    assert "a" in game.seats


def test_who_crashes_three_times_in_a_row_is_out_and_loses_the_rest():
    docket = GameQueue(plan("a", "b"), {})
    games = all_of(docket)
    for game in games[:2]:
        docket.settle(crash(game, "a"))
    assert docket.out == {}
    docket.settle(crash(games[2], "a"))
    assert docket.out == {"a": 2}
    forfeit = docket.forfeit(games[3])
    assert forfeit.cause == "out"
    assert forfeit.game.seats[forfeit.winners[0]] == "b"
    assert docket.forfeit(games[2]) is None
    (kept,) = docket.settle(result(games[3]))
    assert kept == forfeit


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (3, 0, 2, 1), (1, 3, 0, 2)])
def test_in_which_order_games_end_does_not_matter_for_who_is_out(order):
    docket = GameQueue(plan("a", "b"), {})
    games = all_of(docket)
    kept = {}
    for place in order:
        for each in docket.settle(crash(games[place], "a")):
            kept[each.game.id] = each
    assert [kept[game.id].cause for game in games] == ["crash"] * 3 + ["out"]
    assert docket.results == kept


def test_a_game_without_a_crash_counts_from_anew():
    docket = GameQueue(plan("a", "b", pairs=3), {})
    games = all_of(docket)
    for place, game in enumerate(games):
        docket.settle(result(game) if place in (2, 5) else crash(game, "a"))
    assert docket.out == {}
    assert place_of_exit("c", games, docket.results) is None


def test_when_both_are_out_nobody_wins():
    docket = GameQueue(plan("a", "b", pairs=4), {})
    games = all_of(docket)
    for game in games[:3]:
        docket.settle(crash(game, "a"))
    docket.out["b"] = 2
    forfeit = docket.forfeit(games[-1])
    assert (forfeit.winners, forfeit.culprit) == ((), 0)


def test_who_was_out_before_is_out_when_it_is_resumed():
    games = all_of(GameQueue(plan("a", "b"), {}))
    results = {game.id: crash(game, "a") for game in games[:3]}
    docket = GameQueue(plan("a", "b"), results)
    assert docket.out == {"a": 2}
    assert docket.forfeit(docket.next()).cause == "out"


def test_a_knockout_goes_on_when_its_matches_are_decided():
    docket = GameQueue(plan("a", "b", "c", "d", format="knockout", pairs=1), {})
    assert docket.total is None
    first = all_of(docket)
    assert len(first) == 4
    for game in first:
        winner = min(game.seats)
        docket.settle(result(game, game.seats.index(winner)))
    final = all_of(docket)
    assert final
    assert {name for game in final for name in game.seats} <= {"a", "b", "c"}
    for game in final:
        docket.settle(result(game, game.seats.index(min(game.seats))))
    assert all_of(docket) == []
    assert docket.is_over


def test_a_test_stops_at_its_verdict_and_forgets_what_it_did_not_need():
    docket = GameQueue(
        plan("a", "b", format="sprt", pairs=1000),
        {},
        Hypotheses(elo0=0, elo1=200, alpha=0.1, beta=0.1),
    )
    assert docket.total is None
    assert docket.drop_surplus() == []
    games = [docket.next() for _ in range(400)]
    last = games[-1]
    docket.settle(result(last))  # it ended first, and is far ahead
    for number, game in enumerate(games):
        if docket.decided:
            break
        docket.settle(result(game, game.seats.index("a" if number % 5 else "b")))
    assert docket.verdict.accepted == "H1"
    assert docket.next() is None
    assert docket.is_over
    assert docket.drop_surplus() == [last.id]
    assert len(docket.results) == 2 * docket.verdict.pairs


def test_a_test_is_judged_as_if_it_had_been_judged_at_once():
    """Whatever the order in which games ended, and though an exit changes what came before it."""
    settings = plan("a", "b", format="sprt", pairs=1000)
    hypotheses = Hypotheses(elo0=0, elo1=5)
    docket = GameQueue(settings, {}, hypotheses)
    games = [docket.next() for _ in range(60)]
    late, crashed = games[10], games[12:15]
    in_time = Random(5).sample([game for game in games if game is not late], 59)
    for game in [*in_time, late]:
        docket.settle(crash(game, "b") if game in crashed else result(game, 0))
        assert docket.verdict == sprt(docket.results.values(), "a", "b", hypotheses)
    assert docket.verdict.pairs == 30
    assert docket.out == {"b": 14}
    again = GameQueue(settings, {game.id: docket.results[game.id] for game in in_time}, hypotheses)
    again.settle(docket.results[late.id])
    assert again.verdict == docket.verdict


def test_settings_come_back_from_their_journal():
    settings = Settings("s", "draughts", {}, {"total": 5}, "sprt", 9, sprt=Hypotheses(elo1=7))
    assert settings_from(settings.to_json() | {"later": 1}) == settings
    assert not {"rounds", "seats"} & settings.to_json().keys()
    among_three = Settings("s", "fish", {}, {"move": 5}, "gauntlet", 9, seats=3)
    assert settings_from(among_three.to_json()) == among_three
    assert among_three.plan(("a", "b", "c")).seats == 3
    with pytest.raises(StartError, match="the settings in the journal cannot be used"):
        settings_from({"seed": "s"})
