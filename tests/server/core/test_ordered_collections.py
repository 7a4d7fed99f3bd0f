"""Sorted values, queues of ids, and the newest ids."""

from __future__ import annotations

import random

import pytest

from tabnet.server.core.ordered_collections import MAX_BLOCK, NewestIds, Queues, SortedValues


def test_values_stay_sorted_while_they_come_and_go() -> None:
    luck, values, expected = random.Random(1), SortedValues[tuple[int]](), set[tuple[int]]()
    for growing in (True, False, True, False):
        for _ in range(4 * MAX_BLOCK):
            value = (luck.randrange(10_000),)
            if value in expected:
                values.remove(value)
                expected.remove(value)
            elif growing:
                values.add(value)
                expected.add(value)
            elif expected:
                smallest = values.list_smallest(1)[0]
                values.remove(smallest)
                expected.remove(smallest)
        assert values.list_smallest(20_000) == sorted(expected)
        assert values.list_smallest(3) == sorted(expected)[:3]
    assert bool(values) is bool(expected)


@pytest.mark.parametrize("value", [(0,), (2,), (4,)])
def test_a_value_that_is_not_here_cannot_be_removed(value: tuple[int]) -> None:
    values = SortedValues[tuple[int]]()
    with pytest.raises(KeyError):
        values.remove(value)
    values.add((1,))
    values.add((3,))
    with pytest.raises(KeyError):
        values.remove(value)
    assert values.list_smallest(9) == [(1,), (3,)]


def test_queues_by_key() -> None:
    queues = Queues[str]()
    for key, number, id in (("a", 2, "x"), ("a", 1, "y"), ("b", 3, "z")):
        queues.add(key, number, id)
    assert [queues.find_first(key) for key in "abc"] == [(1, "y"), (3, "z"), None]
    queues.remove("a", 1, "y")
    queues.remove("b", 3, "z")
    assert [queues.find_first(key) for key in "abc"] == [(2, "x"), None, None]
    queues.remove("a", 2, "x")
    assert queues == Queues()


def test_the_newest_ids_of_each_kind_and_of_all() -> None:
    ids = NewestIds()
    assert ids.list_newest("tab", 2) == []
    for kind, id in (("tab", "a"), ("fish", "b"), ("tab", "c"), ("tab", "d")):
        ids.add(kind, id)
    ids.remove("tab", "d")
    assert (ids.list_newest("tab", 2), ids.list_newest("fish", 2), ids.list_newest(None, 2)) == (
        ["c", "a"],
        ["b"],
        ["c", "b"],
    )
