"""The groups of bots that can be compared."""

from __future__ import annotations

from tabnet.tournament.stats.connectivity import groups, met, scored

PAIRS = {
    ("a", "b"): {0: (1, 1), 1: (1, 1)},
    ("b", "c"): {0: (0.5, 0)},
    ("d", "e"): {0: (0, 0)},
}


def test_opponents_are_linked_both_ways() -> None:
    linked = {"a": "b", "b": "ac", "c": "b", "d": "e", "e": "d", "f": ""}
    assert met("abcdef", PAIRS) == {name: set(others) for name, others in linked.items()}


def test_a_bot_with_a_point_is_linked_to_its_opponent() -> None:
    linked = {"a": "b", "b": "c", "c": "b", "d": "", "e": "d", "f": ""}
    assert scored("abcdef", PAIRS) == {name: set(others) for name, others in linked.items()}


def test_groups_reach_each_other() -> None:
    assert groups("fedcba", met("abcdef", PAIRS)) == [["f"], ["e", "d"], ["c", "b", "a"]]


def test_one_way_is_not_enough() -> None:
    assert groups("abcde", scored("abcde", PAIRS)) == [["a"], ["b", "c"], ["d"], ["e"]]


def test_a_circle_is_a_group() -> None:
    assert groups("abcd", {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == [
        ["a", "b", "c"],
        ["d"],
    ]
