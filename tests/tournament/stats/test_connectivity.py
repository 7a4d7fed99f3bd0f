"""Who can be compared with whom."""

from __future__ import annotations

from tabnet.tournament.stats.connectivity import groups, met, scored

PAIRS = {
    ("a", "b"): {0: (1, 1), 1: (1, 1)},
    ("b", "c"): {0: (0.5, 0)},
    ("d", "e"): {0: (0, 0)},
}


def test_who_has_played_is_linked_both_ways() -> None:
    linked = {"a": "b", "b": "ac", "c": "b", "d": "e", "e": "d", "f": ""}
    assert met("abcdef", PAIRS) == {name: set(others) for name, others in linked.items()}


def test_who_has_not_lost_everything_is_linked_to_the_other() -> None:
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
