"""Plans, and the ids and throws that follow from them."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from tabnet.errors import StartError
from tabnet.tournament.plan.plan import FORMATS, derive_secret, make_game_id, make_games_of_pair
from tests.tournament.made_results import plan

PLAN = plan("a", "b")


def test_ids_and_secrets_have_known_values() -> None:
    # sha256sum of ["s","tab",{"size":9},{"move":5},["a","b"],0,0] and of the same without ,0
    assert make_game_id(PLAN, ("a", "b"), 0, 0) == "b324cb413d274b4d"
    secret = "7dc3a11ae668c3b128ea2154fec86fbf626f0f6d03ea39e124b8f297a97e9296"
    assert derive_secret(PLAN, ("a", "b"), 0).hex() == secret


def test_a_pair_has_one_secret_and_two_games_with_the_seats_changed_round() -> None:
    one, other = make_games_of_pair(PLAN, ("b", "a"), 3, in_round=1)
    assert (one.seats, other.seats) == (("a", "b"), ("b", "a"))
    assert (one.pair, other.pair, one.round, other.round) == (3, 3, 1, 1)
    assert one.id != other.id
    assert re.fullmatch("[0-9a-f]{16}", one.id)
    assert len(derive_secret(PLAN, ("a", "b"), 3)) == 32
    assert list(make_games_of_pair(PLAN, ("a", "b"), 3, in_round=1)) == [one, other]


def test_three_seats_have_a_game_for_every_order() -> None:
    games = list(make_games_of_pair(PLAN, "bca", 0))
    assert [game.seats for game in games] == list(permutations("abc"))
    assert len({game.id for game in games}) == 6


@pytest.mark.parametrize(
    "other",
    [
        {"seed": "t"},
        {"kind": "draughts"},
        {"options": {"size": 7}},
        {"clock": {"move": 6}},
    ],
)
def test_every_shared_setting_changes_ids_and_secrets(other) -> None:
    changed = plan("a", "b", **other)
    assert make_game_id(changed, "ab", 0, 0) != make_game_id(PLAN, "ab", 0, 0)
    assert derive_secret(changed, "ab", 0) != derive_secret(PLAN, "ab", 0)


def test_ids_and_secrets_do_not_depend_on_other_entrants_or_the_format() -> None:
    larger = plan("c", "b", "a", pairs=9, format="swiss")
    assert list(make_games_of_pair(larger, "ab", 1)) == list(make_games_of_pair(PLAN, "ab", 1))
    assert derive_secret(larger, "ba", 1) == derive_secret(PLAN, "ab", 1)


def test_other_entrants_and_pairs_have_other_secrets() -> None:
    secrets = {
        derive_secret(PLAN, names, pair) for names in ("ab", "ac", "bc") for pair in range(5)
    }
    assert len(secrets) == 15


def test_an_id_does_not_reveal_its_secret() -> None:
    assert not derive_secret(PLAN, "ab", 0).hex().startswith(make_game_id(PLAN, "ab", 0, 0))


@pytest.mark.parametrize(
    ("names", "changes", "text"),
    [
        ("ab", {"format": "league"}, "there is no format 'league'"),
        ("aba", {}, "two entrants have the name 'a'"),
        ("a", {}, "a tournament needs at least two entrants"),
        ("abc", {"format": "sprt"}, "sprt compares two entrants, and here are 3"),
        ("ab", {"seed": None}, "the journal has neither a seed nor a secret of the throws"),
        ("ab", {"pairs": 0}, "0 pairs are too few: at least 1"),
        ("ab", {"seats": 3}, "a game has 3 seats, and here are 2 entrants"),
        ("ab", {"seats": 1}, "a game of 1 seats is none: at least 2"),
        ("abcd", {"seats": 3, "format": "swiss"}, "swiss is for games of two seats"),
        ("abcd", {"seats": 3, "format": "knockout"}, "knockout is for games of two seats"),
        ("abcd", {"rounds": 4}, "4 rounds are not possible: 4 entrants play 1 to 3"),
        ("abcd", {"rounds": 0}, "0 rounds are not possible: 4 entrants play 1 to 3"),
    ],
)
def test_a_senseless_plan_is_refused_with_a_reason(names, changes, text) -> None:
    with pytest.raises(StartError) as refused:
        plan(*names, **changes)
    assert refused.value.text == text


def test_a_wrong_format_names_the_right_ones() -> None:
    with pytest.raises(StartError) as refused:
        plan("a", "b", format="league")
    assert (
        refused.value.hint
        == "round-robin, gauntlet, swiss, knockout, sprt, elimination"
        == ", ".join(FORMATS)
    )
