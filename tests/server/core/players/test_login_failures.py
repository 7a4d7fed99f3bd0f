"""Wrong passwords delay the next login."""

from __future__ import annotations

from tabnet.server.core.players.login_failures import (
    FIRST_DELAY_MS,
    FORGET_MS,
    FREE_FAILURES,
    LONGEST_DELAY_MS,
    MAX_REMEMBERED,
    LoginFailures,
)


def fail(failures, times, now=0, nick="zp"):
    for _ in range(times):
        failures.add("a", nick, now)


def test_the_first_wrong_passwords_are_free_and_each_further_one_doubles_the_delay():
    failures = LoginFailures()
    fail(failures, FREE_FAILURES - 1)
    assert failures.compute_delay("a", "zp", 0) == 0
    delays = []
    for _ in range(12):
        fail(failures, 1)
        delays.append(failures.compute_delay("a", "zp", 0) // 1000)
    assert delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
    fail(failures, 100)
    assert failures.compute_delay("a", "zp", 0) == LONGEST_DELAY_MS


def test_a_delay_ends():
    failures = LoginFailures()
    fail(failures, FREE_FAILURES, now=500)
    assert failures.compute_delay("a", "zp", 600) == FIRST_DELAY_MS - 100
    assert failures.compute_delay("a", "zp", 500 + FIRST_DELAY_MS) == 0
    assert failures.compute_delay("a", "zp", 500 + 2 * FIRST_DELAY_MS) == 0


def test_another_address_and_another_nick_have_no_delay():
    failures = LoginFailures()
    fail(failures, FREE_FAILURES)
    assert failures.compute_delay("a", "zp", 0)
    assert not failures.compute_delay("b", "zp", 0)
    assert not failures.compute_delay("a", "jpleal", 0)


def test_a_right_password_clears_the_wrong_ones():
    failures = LoginFailures()
    fail(failures, FREE_FAILURES + 3)
    failures.clear("a", "zp")
    assert failures == LoginFailures()
    failures.clear("a", "nobody")


def test_wrong_passwords_are_forgotten_some_time_after_the_last_one():
    failures = LoginFailures()
    fail(failures, FREE_FAILURES + 3)
    fail(failures, 1, now=FORGET_MS)
    assert failures.compute_delay("a", "zp", FORGET_MS) == 0
    fail(failures, FREE_FAILURES - 1, now=2 * FORGET_MS - 1)
    assert failures.compute_delay("a", "zp", 2 * FORGET_MS - 1) == FIRST_DELAY_MS


def test_only_the_latest_failures_are_remembered():
    failures = LoginFailures()
    fail(failures, FREE_FAILURES, nick="old")
    fail(failures, FREE_FAILURES, nick="older")
    fail(failures, 1, nick="old")
    for number in range(MAX_REMEMBERED - 1):
        fail(failures, 1, nick=str(number))
    assert len(failures) == MAX_REMEMBERED
    assert failures.compute_delay("a", "older", 0) == 0
    assert failures.compute_delay("a", "old", 0) > 0


def test_only_more_wrong_passwords_than_an_owner_mistypes_are_many():
    failures = LoginFailures()
    for _ in range(FREE_FAILURES):
        assert not failures.are_many("home", "zp", 0)
        failures.add("home", "zp", 0)
    assert failures.are_many("home", "zp", FORGET_MS - 1)
    assert not failures.are_many("home", "zp", FORGET_MS)
    assert not failures.are_many("home", "jpleal", 0)
    failures.clear("home", "zp")
    assert not failures.are_many("home", "zp", 0)
