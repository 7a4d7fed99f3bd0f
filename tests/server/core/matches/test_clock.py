"""Clocks: whole milliseconds in, whole milliseconds out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.protocol.messages import Clock
from tabnet.server.core.matches.clock import Clocks

A_MOVE = Clock(move=2)
A_GAME = Clock(total=10)
WITH_INCREMENT = Clock(total=10, increment=3)


@pytest.mark.parametrize(
    ("rule", "full"),
    [
        (A_MOVE, 2000),
        (A_GAME, 10_000),
        (WITH_INCREMENT, 10_000),
        (Clock(move=0.05), 50),
        (Clock(total=0.0515), 52),
    ],
)
def test_a_clock_starts_with_its_full_time(rule: Clock, full: int) -> None:
    clocks = Clocks.start(rule, 3, 1, 500)
    assert clocks.compute_left(500) == (full,) * 3
    assert clocks.deadline == 500 + full


def test_only_the_seat_to_act_loses_time() -> None:
    clocks = Clocks.start(A_MOVE, 2, 1, 100)
    assert clocks.compute_left(100 + 1999) == (2000, 1)
    assert clocks.compute_left(100 + 2000) == (2000, 0)
    assert clocks.compute_left(100 + 9999) == (2000, 0)


def test_a_clock_per_move_restarts_with_each_move() -> None:
    clocks = Clocks.start(A_MOVE, 2, 0, 0).end_action(0, 1500)
    assert clocks.compute_left(1500) == (2000, 2000)
    assert clocks.deadline == 3500
    clocks = clocks.end_action(1, 3000)
    assert clocks.compute_left(3000) == (2000, 2000)
    assert clocks.deadline == 5000


def test_a_clock_per_game_is_used_up() -> None:
    clocks = Clocks.start(A_GAME, 2, 0, 0).end_action(1, 4000)
    assert clocks.compute_left(4000) == (6000, 10_000)
    clocks = clocks.end_action(0, 5000).end_action(0, 6000)
    assert clocks.compute_left(6000) == (5000, 9000)
    assert clocks.deadline == 11_000


def test_the_increment_is_added_after_the_turn() -> None:
    clocks = Clocks.start(WITH_INCREMENT, 2, 0, 0).end_action(0, 1000)
    assert clocks.compute_left(1000) == (9000, 10_000)
    clocks = clocks.end_action(1, 2000)
    assert clocks.compute_left(2000) == (11_000, 10_000)


@pytest.mark.parametrize("rule", [A_MOVE, A_GAME, WITH_INCREMENT])
def test_the_clocks_stop_at_the_end(rule: Clock) -> None:
    clocks = Clocks.start(rule, 2, 0, 0).end_action(None, 700)
    full = Clocks.start(rule, 2, 0, 0).left[1]
    assert clocks.compute_left(700) == clocks.compute_left(99_999) == (full - 700, full)
    assert clocks.deadline is None


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 1)), max_size=30))
def test_the_total_time_of_a_game_is_conserved(steps: list[tuple[int, int]]) -> None:
    clocks, now, turn = Clocks.start(WITH_INCREMENT, 2, 0, 0), 0, 0
    budget = [10_000, 10_000]
    for spent, next_turn in steps:
        if spent >= budget[turn]:
            assert clocks.deadline == now + budget[turn]
            break
        now += spent
        budget[turn] += (3000 if next_turn != turn else 0) - spent
        clocks, turn = clocks.end_action(next_turn, now), next_turn
        assert clocks.compute_left(now) == tuple(budget)
