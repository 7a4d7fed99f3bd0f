"""The groups of bots that can be compared."""

from __future__ import annotations

from tabnet.tournament.stats.connectivity import connected_groups, opponent_links, scoring_links

PAIRS = {
    ("a", "b"): {0: (1, 1), 1: (1, 1)},
    ("b", "c"): {0: (0.5, 0)},
    ("d", "e"): {0: (0, 0)},
}


def test_opponents_are_linked_both_ways() -> None:
    linked = {"a": "b", "b": "ac", "c": "b", "d": "e", "e": "d", "f": ""}
    assert opponent_links("abcdef", PAIRS) == {name: set(others) for name, others in linked.items()}


def test_a_bot_with_a_point_is_linked_to_its_opponent() -> None:
    linked = {"a": "b", "b": "c", "c": "b", "d": "", "e": "d", "f": ""}
    assert scoring_links("abcdef", PAIRS) == {name: set(others) for name, others in linked.items()}


def test_groups_reach_each_other() -> None:
    assert connected_groups("fedcba", opponent_links("abcdef", PAIRS)) == [
        ["f"],
        ["e", "d"],
        ["c", "b", "a"],
    ]


def test_a_link_in_one_direction_does_not_connect() -> None:
    assert connected_groups("abcde", scoring_links("abcde", PAIRS)) == [
        ["a"],
        ["b", "c"],
        ["d"],
        ["e"],
    ]


def test_a_circle_is_a_group() -> None:
    assert connected_groups("abcd", {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == [
        ["a", "b", "c"],
        ["d"],
    ]
