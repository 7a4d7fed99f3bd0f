"""Results of games."""

from __future__ import annotations

from attrs import evolve

from tabnet.tournament.plan.plan import make_games_of_pair
from tabnet.tournament.records.entrants_and_results import (
    OUT,
    Blame,
    Result,
    ThinkingTime,
    is_different,
    sum_scores,
)
from tests.tournament.made_results import plan, won

ONE, OTHER = make_games_of_pair(plan("a", "b"), "ab", 0)


def test_a_victory_counts_1_and_a_draw_half() -> None:
    assert [won(ONE, "a").compute_score(seat) for seat in (0, 1)] == [1, 0]
    assert [won(OTHER, "a").compute_score(seat) for seat in (0, 1)] == [0, 1]
    assert [won(ONE, None).compute_score(seat) for seat in (0, 1)] == [0.5, 0.5]


def among(*places, **changes) -> Result:
    """A game of some bots that came to these places."""
    names = tuple("abcd"[: len(places)])
    game = next(make_games_of_pair(plan(*names, seats=len(names)), names, 0))
    return won(game, None, places=places, **changes)


def test_among_three_a_score_is_the_share_of_the_others_behind() -> None:
    assert [among(2, 1, 3).compute_score(seat) for seat in range(3)] == [0.5, 1, 0]
    assert [among(1, 3, 1).compute_score(seat) for seat in range(3)] == [0.75, 0, 0.75]
    assert [among(1, 1, 1, 1).compute_score(seat) for seat in range(4)] == [0.5] * 4
    assert sum(among(4, 2, 2, 1).compute_score(seat) for seat in range(4)) == 2


def test_every_two_seats_have_a_score() -> None:
    played = among(1, 3, 1)
    assert [played.score_against(0, other) for other in (1, 2)] == [1, 0.5]
    assert [played.score_against(1, other) for other in (0, 2)] == [0, 0]


def test_a_game_that_never_began_scores_only_for_players_to_blame() -> None:
    absent = among(1, 3, 1, moves=0, cause="start_failed", culprit=1)
    assert absent.score_against(0, 2) is None
    assert (absent.score_against(0, 1), absent.score_against(1, 2)) == (1, 0)
    nobody = among(1, 2, 2, moves=0, culprit=1, removed=(Blame(2, "crash", ""),))
    assert nobody.score_against(1, 2) == 0.5
    assert among(1, 1, moves=0).score_against(0, 1) == 0.5


def test_without_places_winners_share_the_first_place() -> None:
    three = evolve(ONE, seats=("a", "b", "c"))
    nothing = {"points": (0, 0, 0), "cause": "normal", "culprit": None, "detail": "", "reason": ""}
    nothing |= {"moves": 9, "thinking": ()}
    assert Result(three, winners=(0, 2), **nothing).places == (1, 3, 1)
    assert Result(three, winners=(), **nothing).places == (1, 1, 1)


def test_every_seat_has_a_cause() -> None:
    first, last = Blame(2, "illegal_move", "x"), Blame(0, "crash", "exit code 3")
    result = among(2, 1, 3, cause="crash", culprit=0, detail="exit code 3", removed=(first,))
    assert result.blamed == (first, last)
    assert [result.get_cause(seat) for seat in range(3)] == ["crash", "crash", "illegal_move"]
    assert [result.has_crashed(seat) for seat in range(3)] == [True, False, False]
    went_on = among(1, 2, 3, cause="normal", removed=(first,))
    assert [went_on.get_cause(seat) for seat in range(3)] == ["normal", "normal", "illegal_move"]


def test_logs_are_kept_for_some_causes() -> None:
    assert not won(ONE, "a").went_wrong
    assert not won(ONE, None, cause="max_moves").went_wrong
    assert not won(ONE, "b", cause="out", culprit=0).went_wrong
    assert won(ONE, "b", cause="crash", culprit=0).went_wrong
    assert among(1, 2, 3, cause="normal", removed=(Blame(2, "timeout_move", ""),)).went_wrong
    assert not among(1, 2, 3, cause="normal", removed=(Blame(2, "normal", ""),)).went_wrong


def test_points_are_the_sums_of_the_scores() -> None:
    assert sum_scores([won(ONE, "b"), won(OTHER, None)]) == {"a": 0.5, "b": 1.5}
    assert sum_scores([]) == {}


def test_two_results_differ_in_more_than_times() -> None:
    played = won(ONE, "a")
    slower = tuple(evolve(each, total_ms=9, longest_ms=9, cpu_ms=9.5) for each in played.thinking)
    longer = tuple(ThinkingTime(each.decisions + 1, 0, 0) for each in played.thinking)
    assert not is_different(played, evolve(played, thinking=slower))
    assert is_different(played, evolve(played, thinking=longer))
    assert is_different(played, won(ONE, "b"))
    assert not is_different(played, evolve(won(ONE, "b"), cause=OUT))
