"""The limits of connections and commands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.server.core.costs.limits import Allowance, ConnectionCounts, Limits


def test_connections_are_limited_by_address_and_in_all():
    counts = ConnectionCounts(Limits(connections=3, per_address=2))
    with counts.admit("a") as first, counts.admit("a") as second:
        assert (first, second) == (True, True)
        with counts.admit("a") as third, counts.admit("b") as other:
            assert (third, other) == (False, True)
            with counts.admit("c") as fourth:
                assert not fourth
        with counts.admit("b") as other:
            assert other
    with counts.admit("a") as again:
        assert again


def test_a_refused_connection_leaves_nothing_behind():
    counts = ConnectionCounts(Limits(per_address=1))
    with counts.admit("a"), counts.admit("a"):
        pass
    with pytest.raises(RuntimeError, match="lost"), counts.admit("a"):
        raise RuntimeError("lost")
    assert counts == ConnectionCounts(Limits(per_address=1))


def test_a_second_s_worth_of_commands_can_be_sent_at_once_and_no_more():
    allowance = Allowance(100, 5000)
    assert [allowance.take(5000) for _ in range(101)] == [True] * 100 + [False]
    assert [allowance.take(5010) for _ in range(2)] == [True, False]
    assert [allowance.take(5015) for _ in range(2)] == [False, False]
    assert [allowance.take(5020) for _ in range(2)] == [True, False]
    assert [allowance.take(100_000) for _ in range(101)] == [True] * 100 + [False]


@given(st.integers(1, 50), st.lists(st.integers(0, 300), max_size=200))
def test_commands_exceed_the_rate_by_one_second_s_worth_at_most(per_s, pauses):
    allowance, now, taken = Allowance(per_s, 0), 0, []
    for pause in pauses:
        now += pause
        if allowance.take(now):
            taken.append(now)
    for first, start in enumerate(taken):
        for count, end in enumerate(taken[first:], 1):
            assert count <= per_s + (end - start) * per_s / 1000
