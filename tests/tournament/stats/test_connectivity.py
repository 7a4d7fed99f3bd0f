"""The groups of bots that can be compared."""

from __future__ import annotations

from tabnet.tournament.stats.connectivity import (
    find_connected_groups,
    link_opponents,
    link_unbeaten,
)

PAIRS = {
    ("a", "b"): {0: (1, 1), 1: (1, 1)},
    ("b", "c"): {0: (0.5, 0)},
    ("d", "e"): {0: (0, 0)},
}


def test_opponents_are_linked_both_ways() -> None:
    linked = {"a": "b", "b": "ac", "c": "b", "d": "e", "e": "d", "f": ""}
    assert link_opponents("abcdef", PAIRS) == {name: set(others) for name, others in linked.items()}


def test_a_bot_with_a_point_is_linked_to_its_opponent() -> None:
    linked = {"a": "b", "b": "c", "c": "b", "d": "", "e": "d", "f": ""}
    assert link_unbeaten("abcdef", PAIRS) == {name: set(others) for name, others in linked.items()}


def test_groups_reach_each_other() -> None:
    assert find_connected_groups("fedcba", link_opponents("abcdef", PAIRS)) == [
        ["f"],
        ["e", "d"],
        ["c", "b", "a"],
    ]


def test_a_link_in_one_direction_does_not_connect() -> None:
    assert find_connected_groups("abcde", link_unbeaten("abcde", PAIRS)) == [
        ["a"],
        ["b", "c"],
        ["d"],
        ["e"],
    ]


def test_a_circle_is_a_group() -> None:
    assert find_connected_groups("abcd", {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == [
        ["a", "b", "c"],
        ["d"],
    ]
