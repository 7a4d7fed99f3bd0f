"""How matches have ended, as results: among two, and among three who play on without each other."""

from __future__ import annotations

import pytest
from attrs import evolve

from tabnet.games.api import Outcome
from tabnet.protocol.messages import Clock
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import Terms, require_kind
from tabnet.tournament.plan.plan import make_games_of_pair
from tabnet.tournament.records.entrants_and_results import Blame
from tabnet.tournament.records.results_of_matches import (
    Fault,
    make_forfeit_result,
    make_match_result,
    make_unbegun_result,
    rank_seats,
)
from tests.tournament.made_results import plan

CRASH = Fault("crash", "exit code 3")


def match_of(*nicks: str, clock: Clock | None = None) -> Match:
    """A game of Fish that has just begun."""
    options = require_kind("fish").options(fish=1)
    terms = Terms("fish", options, len(nicks), clock or Clock(move=5), None, strict=True)
    return Match.start("g", terms, tuple(map(Seat, nicks)), bytes(32), 0)


def play(match: Match, actions: int | None = None) -> Match:
    """So many actions, or to the end: always the first that is legal."""
    while match.turn is not None and actions != 0:
        fields = match.terms.game.dump_move(match.state.actions()[0])
        match = match.play(match.turn, "notify", fields, 0)
        actions = None if actions is None else actions - 1
    return match


def judged(match: Match, faults=None, last_lines=None):
    """The result of a match that is over."""
    names = tuple("abcd"[: len(match.seats)])
    game = next(make_games_of_pair(plan(*names, seats=len(names)), names, 0))
    cpu_ms = [0.5, *[None] * (len(match.seats) - 1)]
    return make_match_result(game, match, match.result, faults or {}, last_lines or {}, cpu_ms)


@pytest.mark.parametrize(
    ("winners", "points", "removed", "expected"),
    [
        ((0,), (1, 0), (), (1, 2)),
        ((), (0, 0), (), (1, 1)),
        ((1,), (0, 1), (0,), (2, 1)),
        ((2,), (7, 9, 12), (), (3, 2, 1)),
        ((0, 2), (9, 4, 9), (), (1, 3, 1)),
        ((1,), (20, 9, 9), (0,), (3, 1, 2)),
        ((3,), (0, 0, 0, 1), (1, 0, 2), (3, 4, 2, 1)),
        ((), (0, 0, 0), (1,), (1, 3, 1)),
    ],
)
def test_places_follow_from_victory_points_and_removals(winners, points, removed, expected) -> None:
    assert rank_seats(Outcome(winners, points, ""), removed) == expected


def test_a_game_that_ended_by_the_rules_has_places_by_points() -> None:
    match = match_of("a", "b", "c")
    match = play(match)
    result = judged(match)
    assert (result.cause, result.culprit, result.removed) == ("normal", None, ())
    assert result.points == match.state.scores
    assert [result.places[seat] for seat in result.winners] == [1] * len(result.winners)


def test_a_crashed_bot_is_last_with_its_own_cause() -> None:
    match = match_of("a", "b", "c")
    match = play(match, 10)
    match = match.end(0, "crash", 1)
    assert match.result is None
    match = play(match)
    result = judged(match, faults={1: CRASH})
    assert (result.cause, result.culprit, result.detail) == ("normal", None, "")
    assert result.removed == (Blame(1, "crash", "exit code 3"),)
    assert result.places[1] == 3
    assert 1 not in result.winners


def test_when_one_is_left_the_game_has_the_cause_of_the_last_removal() -> None:
    match = match_of("a", "b", "c", clock=Clock(total=60, increment=1))
    match = match.punish(0, "no_piece", 0)
    match = match.expire(70_000)
    result = judged(match, last_lines={0: "the line", 1: "another"})
    assert (result.cause, result.culprit) == ("timeout_total", 1)
    assert result.detail == "more than 60 s for the game"
    (first,) = result.removed
    assert (first.seat, first.cause) == (0, "illegal_move")
    assert first.detail.endswith(": the line")
    assert (result.winners, result.places) == ((2,), (3, 2, 1))


def test_a_bot_that_hung_up_before_its_timeout_is_to_blame_for_that() -> None:
    match = match_of("a", "b")
    match = match.expire(6_000)
    result = judged(match, {0: Fault("disconnect", "gone")}, {0: ""})
    assert (result.cause, result.culprit, result.reason) == ("disconnect", 0, "timeout")
    late = judged(match, last_lines={0: ""})
    assert (late.cause, late.detail) == ("timeout_move", "more than 5 s for a move")


def test_resigning_is_no_fault() -> None:
    match = match_of("a", "b", "c")
    match = match.leave(2, 0)
    match = match.leave(0, 0)
    result = judged(match)
    assert (result.cause, result.culprit, result.places) == ("normal", None, (2, 1, 3))
    assert result.removed == (Blame(2, "normal", "it gave the game up"),)
    assert not result.went_wrong


def test_a_game_stopped_as_too_long_is_drawn_by_the_remaining_players() -> None:
    match = match_of("a", "b", "c")
    match = evolve(match, max_actions=5)
    match = match.end(0, "crash", 0)
    match = play(match)
    result = judged(match, faults={0: CRASH})
    assert (result.cause, result.winners, result.places) == ("max_moves", (), (3, 1, 1))


def test_an_unplayed_game_names_all_players_to_blame() -> None:
    game = next(make_games_of_pair(plan(*"abc", seats=3), "abc", 0))
    result = make_unbegun_result(game, [None, CRASH, Fault("start_failed", "late")])
    assert (result.winners, result.points, result.places) == ((0,), (1, 0, 0), (1, 2, 2))
    assert result.blamed == (Blame(2, "start_failed", "late"), Blame(1, "crash", "exit code 3"))
    out = make_forfeit_result(game, ["c"])
    assert (out.winners, out.culprit, out.places) == ((0, 1), 2, (1, 1, 3))
    assert out.score_against(0, 1) is None
