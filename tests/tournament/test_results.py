"""Results of games."""

from __future__ import annotations

from attrs import evolve

from tabnet.tournament.plan import meeting
from tabnet.tournament.results import points
from tests.tournament.made import plan, won

ONE, OTHER = meeting(plan("a", "b"), "ab", 0)


def test_a_victory_counts_1_and_a_draw_half() -> None:
    assert [won(ONE, "a").score(seat) for seat in (0, 1)] == [1, 0]
    assert [won(OTHER, "a").score(seat) for seat in (0, 1)] == [0, 1]
    assert [won(ONE, None).score(seat) for seat in (0, 1)] == [0.5, 0.5]


def test_several_winners_share() -> None:
    three = evolve(won(ONE, None), game=evolve(ONE, seats=("a", "b", "c")), winners=(0, 2))
    assert [three.score(seat) for seat in range(3)] == [0.5, 0, 0.5]


def test_points_are_the_sums_of_the_scores() -> None:
    assert points([won(ONE, "b"), won(OTHER, None)]) == {"a": 0.5, "b": 1.5}
    assert points([]) == {}
