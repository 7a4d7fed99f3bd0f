"""The secrets that results reveal: only those of throws that no further game can have."""

from __future__ import annotations

import pytest

from tabnet.tournament.plan.plan import Plan, derive_secret, make_game_id, make_games_of_pair
from tabnet.tournament.plan.revealed_secrets import describe_throws, reveal_secrets
from tabnet.tournament.records.throw_secrets import TournamentSecret, hash_seed
from tests.tournament.made_results import plan, won

KEY = bytes(range(32))
RANDOM = (TournamentSecret(KEY),)


def with_zoe(**changes) -> Plan:
    """A plan for a, b and the remote zoe."""
    fixed = {"seed": None, "secrets": RANDOM, "remote": frozenset({"zoe"})}
    return plan("a", "b", "zoe", **{**fixed, **changes})


def test_a_pair_reveals_its_secret_when_both_games_are_over():
    mirrored = plan("a", "b", seed=None, secrets=RANDOM)
    one, other = [won(game, "a") for game in make_games_of_pair(mirrored, "ab", 1)]
    assert reveal_secrets(mirrored, [one]) == {}
    secret = derive_secret(mirrored, "ab", 1)
    assert reveal_secrets(mirrored, [one, other]) == {one.game.id: secret, other.game.id: secret}


def test_a_group_of_three_reveals_its_secret_after_six_games():
    group = plan("a", "b", "c", seats=3, kind="fish", options={}, secrets=RANDOM)
    results = [won(game, "a") for game in make_games_of_pair(group, "abc", 0)]
    assert reveal_secrets(group, results[:5]) == {}
    assert set(reveal_secrets(group, results).values()) == {derive_secret(group, "abc", 0)}


def test_a_game_of_an_elimination_reveals_its_secret_alone():
    rounds = plan(*"abcd", format="elimination", seats=4, kind="fish", options={}, secrets=RANDOM)
    game = won(next(make_games_of_pair(rounds, "abcd", 1)), "a")
    assert list(reveal_secrets(rounds, [game])) == [game.game.id]


def test_a_game_with_throws_of_its_own_reveals_them_alone_if_it_was_played():
    remote = with_zoe()
    one, other = [
        won(game, "a", nonce="5a") for game in make_games_of_pair(remote, ["a", "zoe"], 0)
    ]
    first = derive_secret(remote, one.game.seats, 0, "5a")
    assert reveal_secrets(remote, [one]) == {one.game.id: first}
    assert derive_secret(remote, other.game.seats, 0, "5a") != first
    assert derive_secret(remote, one.game.seats, 0, "5b") != first
    unplayed = won(other.game, "a")
    assert reveal_secrets(remote, [one, unplayed]) == {one.game.id: first}


def test_a_kind_without_dice_reveals_nothing_and_needs_no_sentence():
    draughts = with_zoe(seed="s", kind="draughts", options={})
    results = [won(game, "a", nonce="5a") for game in make_games_of_pair(draughts, "ab", 0)]
    assert reveal_secrets(draughts, results) == {}
    assert describe_throws(draughts) == []


def test_only_games_of_remote_entrants_have_throws_of_their_own():
    remote = with_zoe()
    assert [remote.has_own_throws(names) for names in ("ab", ["a", "zoe"], ["zoe", "b"])] == [
        *(False, True, True)
    ]
    assert derive_secret(remote, "ab", 0) == derive_secret(remote, "ba", 0)


def test_two_nicks_of_one_remote_bot_share_no_throws():
    both = plan("a", "yan", "zoe", secrets=RANDOM, remote=frozenset({"yan", "zoe"}))
    meetings = [
        ("a", "zoe"),
        ("zoe", "a"),
        ("a", "yan"),
        ("yan", "a"),
        ("yan", "zoe"),
        ("zoe", "yan"),
    ]
    assert len({derive_secret(both, seats, 0, "5a") for seats in meetings}) == 6


def test_an_old_journal_keeps_its_throws_also_of_remote_entrants():
    old = with_zoe(seed="s", secrets=())
    assert not old.has_own_throws(["a", "zoe"])
    assert derive_secret(old, ["a", "zoe"], 0) == derive_secret(old, ["zoe", "a"], 0)
    assert describe_throws(old) == []


def test_a_later_secret_holds_for_the_games_of_later_entrants():
    later = (TournamentSecret(hash_seed("s")), TournamentSecret(KEY, 2))
    extended = with_zoe(seed="s", secrets=later)
    assert extended.find_secret("ab") == hash_seed("s")
    assert extended.find_secret(["a", "zoe"]) == extended.find_secret(["zoe"]) == KEY
    of_an_old_one = with_zoe(seed="s", secrets=later[1:])
    assert of_an_old_one.find_secret("ab") is None
    assert of_an_old_one.has_own_throws(["a", "zoe"])


def test_without_a_seed_ids_follow_from_the_secret_and_tell_nothing_of_it():
    one, other = (
        plan("a", "b", seed=None, secrets=(TournamentSecret(key),)) for key in (KEY, KEY[::-1])
    )
    ids = {make_game_id(each, "ab", 0, number) for each in (one, other) for number in (0, 1)}
    assert len(ids) == 4
    named = plan("a", "b", secrets=RANDOM), plan("a", "b", secrets=(TournamentSecret(KEY[::-1]),))
    assert len({make_game_id(each, "ab", 0, 0) for each in named}) == 1


NOT_MIRRORED = (
    "Games with zoe are not mirrored: each has {} of its own, because a remote bot plays all games "
    "on one connection."
)
FROM_BITS = "The {} come from random bits and not from the seed, because zoe is remote."


@pytest.mark.parametrize(
    ("changes", "sentences"),
    [
        ({}, [NOT_MIRRORED.format("throws")]),
        ({"seed": "s"}, [NOT_MIRRORED.format("throws"), FROM_BITS.format("throws")]),
        (
            {"seed": "s", "kind": "fish", "options": {}},
            [NOT_MIRRORED.format("a board"), FROM_BITS.format("boards")],
        ),
        (
            {"seed": "s", "secrets": (TournamentSecret(hash_seed("s")), TournamentSecret(KEY, 1))},
            [NOT_MIRRORED.format("throws"), FROM_BITS.format("throws in games with b and zoe")],
        ),
        (
            {"kind": "fish", "options": {}, "format": "elimination", "seats": 3, "seed": "s"},
            [FROM_BITS.format("boards")],
        ),
        ({"remote": frozenset()}, []),
    ],
)
def test_what_is_special_about_the_throws_is_said(changes, sentences):
    assert describe_throws(with_zoe(**changes)) == sentences


def test_several_remote_bots_are_named():
    many = with_zoe(seed="s", remote=frozenset({"a", "b", "zoe"}))
    own, seed = describe_throws(many)
    assert own.startswith("Games with a, b and zoe are not mirrored: each has throws of its own")
    assert seed.endswith("because a, b and zoe are remote.")
