"""The notes of a table."""

from __future__ import annotations

from tabnet.tournament.stats.rating_notes import write_rating_notes

MIXED = dict.fromkeys(range(10), (1, 0))
SWEPT = dict.fromkeys(range(10), (1, 1))


def test_a_sound_tournament_has_no_notes() -> None:
    assert write_rating_notes("abc", {("a", "b"): MIXED, ("b", "c"): MIXED}) == []


def test_unconnected_groups_have_a_note() -> None:
    assert write_rating_notes(
        "abcde", {("a", "b"): MIXED, ("c", "d"): MIXED, ("d", "e"): MIXED}
    ) == [
        "No games connect these groups: a and b; c, d and e. Ratings compare only within a group."
    ]


def test_a_bot_that_won_or_lost_everything_has_a_note() -> None:
    pairs = {("a", "b"): SWEPT, ("a", "c"): SWEPT, ("b", "c"): MIXED}
    assert write_rating_notes("abc", pairs) == [
        "Between these, one side has won every game: a; b and c. How far apart they are is a guess."
    ]


def test_one_draw_makes_the_distance_finite() -> None:
    pairs = {("a", "b"): {**SWEPT, 10: (1, 0.5)}}
    assert write_rating_notes("ab", pairs) == []


def test_without_games_every_bot_is_unconnected() -> None:
    assert write_rating_notes("ab", {}) == [
        "No games connect these groups: a; b. Ratings compare only within a group.",
    ]


def test_among_three_notes_count_groups_and_places() -> None:
    ahead = {(("a", "b", "c"), number): (1,) * 6 for number in range(9)}
    guess = "How far apart they are is a guess."
    found = write_rating_notes(
        "abc", dict.fromkeys([("a", "b"), ("a", "c"), ("b", "c")], ahead), seats=3
    )
    assert found == [
        f"Between these, one side has come before the other in every game: a; b; c. {guess}",
    ]
    more = ahead | {(("a", "b", "c"), 9): (0, 1, 0, 1, 0, 1)}
    assert (
        write_rating_notes(
            "abc", dict.fromkeys([("a", "b"), ("a", "c"), ("b", "c")], more), seats=3
        )
        == []
    )
