"""Bytes sent as responses: limits of sessions and origins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.server.core.costs import byte_budget
from tabnet.server.core.costs.byte_budget import (
    LIMITED_BURST,
    ORIGIN_BURST_S,
    SESSION_BURST,
    SESSION_BYTES_PER_S,
    ByteBudgets,
)

RATE = 16_000_000


def test_a_burst_is_sent_at_once_and_the_response_after_it_waits():
    budget = ByteBudgets(RATE).open("192.0.2.1", 0)
    budget.spend(SESSION_BURST)
    assert budget.compute_delay(0) == 0
    budget.spend(SESSION_BYTES_PER_S)
    assert budget.compute_delay(0) == 1000
    assert budget.compute_delay(400) == 600
    assert budget.compute_delay(1000) == 0


def test_an_overdraft_shortens_the_wait():
    budget = ByteBudgets(RATE).open("192.0.2.1", 0)
    budget.spend(SESSION_BURST + SESSION_BYTES_PER_S)
    assert budget.compute_delay(0, SESSION_BYTES_PER_S // 2) == 500
    assert budget.compute_delay(0, SESSION_BYTES_PER_S) == 0


def test_a_wait_is_never_rounded_down():
    budget = ByteBudgets(RATE).open("192.0.2.1", 0)
    budget.spend(SESSION_BURST + 1)
    assert budget.compute_delay(0) == 1


def test_the_budget_never_exceeds_the_burst():
    budget = ByteBudgets(RATE).open("192.0.2.1", 0)
    budget.compute_delay(1_000_000)
    budget.spend(SESSION_BURST + SESSION_BYTES_PER_S)
    assert budget.compute_delay(1_000_000) == 1000


def spend_burst_of_origin(budgets, origin, now=0):
    """Use up what an origin has saved, by sessions that end."""
    for _ in range(ORIGIN_BURST_S * RATE // SESSION_BURST + 1):
        budgets.open(origin, now).spend(SESSION_BURST)


def test_a_session_of_an_origin_over_its_limit_has_its_own_rate_and_a_small_burst():
    budgets = ByteBudgets(RATE)
    spend_burst_of_origin(budgets, "192.0.2.1")
    budget = budgets.open("192.0.2.1", 0)
    assert budget.compute_delay(0) == 0
    budget.spend(LIMITED_BURST + SESSION_BYTES_PER_S)
    assert budget.compute_delay(0) == 1000
    assert budget.compute_delay(1000) == 0


@pytest.mark.parametrize("exempt", [True, False])
def test_another_origin_and_an_exempt_one_have_their_whole_burst(exempt):
    budgets = ByteBudgets(RATE)
    spend_burst_of_origin(budgets, "127.0.0.1")
    origin = "127.0.0.1" if exempt else "192.0.2.2"
    budget = budgets.open(origin, 0, is_exempt=exempt)
    budget.spend(SESSION_BURST)
    assert budget.compute_delay(0) == 0


def test_a_new_session_does_not_avoid_the_limit_of_its_origin():
    budgets = ByteBudgets(RATE)
    sent = 0
    for _ in range(1000):
        budget = budgets.open("192.0.2.1", 0)
        while budget.compute_delay(0) == 0:
            budget.spend(100_000)
            sent += 100_000
    assert sent <= ORIGIN_BURST_S * RATE + 1000 * (LIMITED_BURST + 100_000) + SESSION_BURST


def test_the_number_of_remembered_origins_is_bounded(monkeypatch):
    monkeypatch.setattr(byte_budget, "MAX_ORIGINS", 2)
    budgets = ByteBudgets(RATE)
    spend_burst_of_origin(budgets, "192.0.2.1")
    for origin in ("192.0.2.2", "192.0.2.3"):
        budgets.open(origin, 0)
    budget = budgets.open("192.0.2.1", 0)
    budget.spend(SESSION_BURST)
    assert budget.compute_delay(0) == 0


@given(st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(0, 500)), max_size=30))
def test_a_session_that_observes_delays_gets_its_full_rate(responses):
    budgets, now, sent = ByteBudgets(RATE), 0, 0
    spend_burst_of_origin(budgets, "192.0.2.1")
    budget = budgets.open("192.0.2.1", now)
    for size, pause in responses:
        now += pause + budget.compute_delay(now + pause)
        assert budget.compute_delay(now) == 0
        budget.spend(size)
        sent += size
    assert budget.compute_delay(now) <= 1000 * sent / SESSION_BYTES_PER_S + 1
