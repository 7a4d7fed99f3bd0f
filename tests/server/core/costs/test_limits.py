"""What clients may have, counted: connections, commands, and wrong passwords."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.server.core.costs.limits import (
    FIRST_WAIT_MS,
    FORGET_MS,
    FREE_FAILURES,
    LONGEST_WAIT_MS,
    MOST_REMEMBERED,
    Allowance,
    Crowd,
    Failures,
    Limits,
    network_of,
    origin_of,
)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("192.0.2.1:4567", "192.0.2.1"),
        ("127.0.0.1:1", "127.0.0.1"),
        ("[2001:db8:1:2:3:4:5:6]:4567", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:80", "2001:db8:1:2::/64"),
        ("[2001:db8:1:3::1]:80", "2001:db8:1:3::/64"),
        ("[fe80::1%eth0]:80", "fe80::/64"),
        ("[::ffff:192.0.2.1]:80", "192.0.2.1"),
        ("memory", "memory"),
        ("unknown", "unknown"),
    ],
)
def test_an_address_counts_for_its_host_and_an_ipv6_host_for_its_network(address, origin):
    assert origin_of(address) == origin


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1:4567", "192.0.2.0/24"),
        ("127.0.0.1:1", "127.0.0.0/24"),
        ("[2001:db8:1:2:3:4:5:6]:4567", "2001:db8:1::/48"),
        ("[::ffff:192.0.2.1]:80", "192.0.2.0/24"),
        ("memory", "memory"),
    ],
)
def test_an_origin_belongs_to_a_network(address, network):
    assert network_of(origin_of(address)) == network


def test_there_is_room_for_so_many_from_one_address_and_so_many_in_all():
    crowd = Crowd(Limits(connections=3, per_address=2))
    with crowd.admitting("a") as first, crowd.admitting("a") as second:
        assert (first, second) == (True, True)
        with crowd.admitting("a") as third, crowd.admitting("b") as other:
            assert (third, other) == (False, True)
            with crowd.admitting("c") as fourth:
                assert not fourth
        with crowd.admitting("b") as other:
            assert other
    with crowd.admitting("a") as again:
        assert again


def test_who_was_sent_away_leaves_nothing_behind():
    crowd = Crowd(Limits(per_address=1))
    with crowd.admitting("a"), crowd.admitting("a"):
        pass
    with pytest.raises(RuntimeError, match="lost"), crowd.admitting("a"):
        raise RuntimeError("lost")
    assert crowd == Crowd(Limits(per_address=1))


def test_a_second_s_worth_of_commands_can_be_sent_at_once_and_no_more():
    allowance = Allowance(100, 5000)
    assert [allowance.take(5000) for _ in range(101)] == [True] * 100 + [False]
    assert [allowance.take(5010) for _ in range(2)] == [True, False]
    assert [allowance.take(5015) for _ in range(2)] == [False, False]
    assert [allowance.take(5020) for _ in range(2)] == [True, False]
    assert [allowance.take(100_000) for _ in range(101)] == [True] * 100 + [False]


@given(st.integers(1, 50), st.lists(st.integers(0, 300), max_size=200))
def test_no_span_of_time_has_more_commands_than_its_seconds_and_one_more(per_s, pauses):
    allowance, now, taken = Allowance(per_s, 0), 0, []
    for pause in pauses:
        now += pause
        if allowance.take(now):
            taken.append(now)
    for first, start in enumerate(taken):
        for count, end in enumerate(taken[first:], 1):
            assert count <= per_s + (end - start) * per_s / 1000


def fail(failures, times, now=0, nick="zp"):
    for _ in range(times):
        failures.add("a", nick, now)


def test_some_wrong_passwords_are_free_and_then_each_doubles_the_wait():
    failures = Failures()
    fail(failures, FREE_FAILURES - 1)
    assert failures.wait("a", "zp", 0) == 0
    waits = []
    for _ in range(12):
        fail(failures, 1)
        waits.append(failures.wait("a", "zp", 0) // 1000)
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
    fail(failures, 100)
    assert failures.wait("a", "zp", 0) == LONGEST_WAIT_MS


def test_a_wait_ends():
    failures = Failures()
    fail(failures, FREE_FAILURES, now=500)
    assert failures.wait("a", "zp", 600) == FIRST_WAIT_MS - 100
    assert failures.wait("a", "zp", 500 + FIRST_WAIT_MS) == 0
    assert failures.wait("a", "zp", 500 + 2 * FIRST_WAIT_MS) == 0


def test_another_address_and_another_nick_do_not_wait():
    failures = Failures()
    fail(failures, FREE_FAILURES)
    assert failures.wait("a", "zp", 0)
    assert not failures.wait("b", "zp", 0)
    assert not failures.wait("a", "jpleal", 0)


def test_a_right_password_clears_the_wrong_ones():
    failures = Failures()
    fail(failures, FREE_FAILURES + 3)
    failures.clear("a", "zp")
    assert failures == Failures()
    failures.clear("a", "nobody")


def test_wrong_passwords_are_forgotten_some_time_after_the_last_one():
    failures = Failures()
    fail(failures, FREE_FAILURES + 3)
    fail(failures, 1, now=FORGET_MS)
    assert failures.wait("a", "zp", FORGET_MS) == 0
    fail(failures, FREE_FAILURES - 1, now=2 * FORGET_MS - 1)
    assert failures.wait("a", "zp", 2 * FORGET_MS - 1) == FIRST_WAIT_MS


def test_only_so_many_are_remembered_the_latest():
    failures = Failures()
    fail(failures, FREE_FAILURES, nick="old")
    fail(failures, FREE_FAILURES, nick="older")
    fail(failures, 1, nick="old")
    for number in range(MOST_REMEMBERED - 1):
        fail(failures, 1, nick=str(number))
    assert len(failures) == MOST_REMEMBERED
    assert failures.wait("a", "older", 0) == 0
    assert failures.wait("a", "old", 0) > 0


def test_wrong_passwords_are_many_when_they_are_more_than_an_owner_mistypes():
    failures = Failures()
    for _ in range(FREE_FAILURES):
        assert not failures.are_many("home", "zp", 0)
        failures.add("home", "zp", 0)
    assert failures.are_many("home", "zp", FORGET_MS - 1)
    assert not failures.are_many("home", "zp", FORGET_MS)
    assert not failures.are_many("home", "jpleal", 0)
    failures.clear("home", "zp")
    assert not failures.are_many("home", "zp", 0)
