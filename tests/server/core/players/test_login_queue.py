"""The queue of logins: turns of classes, networks and addresses, and limits."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.server.core.players.login_queue import TURNS, LoginQueue, Priority, WaitingLogin

FAMILIAR, KNOWN, NEW = Priority


def logins(*rows):
    """Logins with these priorities, networks and addresses."""
    return [WaitingLogin(number, *row) for number, row in enumerate(rows)]


def filled(rows, **bounds):
    """Return a queue with these logins, and those that had to go."""
    queue = LoginQueue(**bounds)
    surplus = [gone for login in rows if (gone := queue.add(login))]
    return queue, surplus


def served(queue):
    """Take all logins."""
    return list(iter(queue.take, None))


def numbers(rows):
    return [login.number for login in rows]


def test_an_empty_queue_has_no_next_login():
    assert LoginQueue().take() is None
    assert len(LoginQueue()) == 0


def test_networks_take_turns_and_so_do_the_addresses_of_a_network():
    rows = [(NEW, "a", "a1")] * 3 + [(NEW, "a", "a2"), (NEW, "b", "b1"), (NEW, "b", "b1")]
    queue, _ = filled(logins(*rows))
    assert numbers(served(queue)) == [0, 4, 3, 5, 1, 2]


def test_a_network_that_has_just_been_served_lets_another_go_first():
    rows = logins((NEW, "a", "a1"), (NEW, "a", "a1"), (NEW, "a", "a2"), (NEW, "b", "b"))
    queue = LoginQueue()
    queue.add(rows[0])
    assert queue.take() == rows[0]
    for login in rows[1:]:
        queue.add(login)
    assert numbers(served(queue)) == [3, 1, 2]


def test_an_address_that_has_just_been_served_lets_its_neighbour_go_first():
    rows = logins((NEW, "a", "a1"), (NEW, "a", "a1"), (NEW, "a", "a2"))
    queue = LoginQueue()
    queue.add(rows[0])
    assert queue.take() == rows[0]
    for login in rows[1:]:
        queue.add(login)
    assert numbers(served(queue)) == [2, 1]


def test_the_most_urgent_class_gets_half_of_the_turns():
    rows = [(priority, "a", "a") for priority in (NEW, KNOWN, FAMILIAR) for _ in range(4)]
    queue, _ = filled(logins(*rows))
    classes = [login.priority for login in served(queue)]
    assert classes[:8] == [*TURNS, *TURNS]
    assert classes[8:] == [KNOWN, KNOWN, NEW, NEW]


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("crowd", [KNOWN, NEW])
def test_a_familiar_login_lets_at_most_one_other_go_first(turns, crowd):
    queue, _ = filled(logins(*[(crowd, str(n), str(n)) for n in range(400)]))
    for _ in range(turns):
        queue.take()
    familiar = WaitingLogin(400, FAMILIAR, "home", "home")
    queue.add(familiar)
    assert familiar in (queue.take(), queue.take())


def test_a_login_that_is_removed_is_not_served():
    rows = logins((NEW, "a", "a"), (NEW, "a", "a"), (NEW, "b", "b"))
    queue, _ = filled(rows)
    queue.remove(rows[0])
    queue.remove(rows[2])
    queue.remove(rows[2])
    assert len(queue) == 1
    assert served(queue) == [rows[1]]


def test_a_full_network_drops_the_latest_login_of_its_busiest_address():
    rows = logins(*[(NEW, "a", "a1")] * 3, (NEW, "a", "a2"), (NEW, "b", "b"), (NEW, "a", "a1"))
    queue, surplus = filled(rows, max_of_network=3)
    assert numbers(surplus) == [2, 5]
    assert len(queue) == 4


def test_a_full_queue_drops_the_latest_login_of_its_busiest_network():
    rows = logins(*[(NEW, "a", "a")] * 3, (NEW, "b", "b"), (NEW, "c", "c"), (NEW, "d", "d"))
    _, surplus = filled(rows, max_waiting=3)
    assert numbers(surplus) == [2, 1, 5]


@pytest.mark.parametrize("bounds", [{"max_waiting": 2}, {"max_of_network": 2}])
def test_a_less_urgent_login_makes_room_for_a_more_urgent_one(bounds):
    rows = logins((NEW, "a", "a"), (KNOWN, "a", "a"), (FAMILIAR, "a", "a"), (NEW, "a", "a"))
    queue, surplus = filled(rows, **bounds)
    assert numbers(surplus) == [0, 3]
    assert numbers(served(queue)) == [2, 1]


KEYS = st.sampled_from([(each, a, a + n) for each in Priority for a in "abcd" for n in "12"])
STEPS = st.lists(st.one_of(KEYS, st.just("take"), st.integers(0, 30)), max_size=60)
"""Logins to add, turns, and numbers of logins to remove."""


@given(STEPS, st.integers(1, 8), st.integers(1, 8))
def test_every_login_is_served_once_or_dropped_and_no_limit_is_exceeded(
    steps, max_waiting, max_of_network
):
    queue = LoginQueue(max_waiting, max_of_network)
    every, waiting = [], []
    for step in steps:
        if step == "take":
            login = queue.take()
            assert (login is None) == (not waiting)
            if login is not None:
                waiting.remove(login)
        elif isinstance(step, int):
            if step < len(every):
                queue.remove(every[step])
                if every[step] in waiting:
                    waiting.remove(every[step])
        else:
            login = WaitingLogin(len(every), *step)
            every.append(login)
            waiting.append(login)
            surplus = queue.add(login)
            if surplus is not None:
                assert surplus.priority >= login.priority
                waiting.remove(surplus)
        assert len(queue) == len(waiting) <= max_waiting
        for network in "abcd":
            assert sum(login.network == network for login in waiting) <= max_of_network
    assert sorted(numbers(served(queue))) == numbers(waiting)


@given(st.lists(KEYS, max_size=60))
def test_no_class_network_or_address_waits_longer_than_for_one_turn_of_each_other(keys):
    rows = [WaitingLogin(number, *key) for number, key in enumerate(keys)]
    queue, _ = filled(rows)
    order = served(queue)
    for priority in Priority:
        mine = [login for login in order if login.priority == priority]
        assert_turns([login.network for login in mine])
        for network in "abcd":
            assert_turns([login.origin for login in mine if login.network == network])
    for first, second in pairwise(order):
        if (first.priority, first.network, first.origin) == (
            second.priority,
            second.network,
            second.origin,
        ):
            assert first.number < second.number
    for start in range(len(order)):
        left = {login.priority for login in order[start:]}
        soon = {login.priority for login in order[start : start + len(TURNS)]}
        assert left == soon


def assert_turns(names):
    """Between two turns of a name, each name that still waits has exactly one turn."""
    for index, name in enumerate(names):
        following = names[index + 1 :]
        if name in following:
            between = following[: following.index(name)]
            assert len(set(between)) == len(between)
            assert set(between) == set(following) - {name}
