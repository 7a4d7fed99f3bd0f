"""The formulas of the secrets, with values that openssl has computed too."""

from __future__ import annotations

from itertools import combinations

from tabnet.tournament.records.throw_secrets import (
    TournamentSecret,
    derive_game_secret,
    derive_id,
    derive_pair_secret,
    hash_seed,
)

SPRING = "0f8c2dab2a67583ace1641f2a982257d99d9f8a9387969296766be65b5621422"
"""printf 'tabnet-seed-1spring' | openssl dgst -sha256, and the output as the hexkey of
printf 'tabnet-pair-1[["greedy","random"],0]' | openssl dgst -sha256 -mac HMAC -macopt hexkey:KEY"""
KEY = bytes(range(32))


def test_the_secret_of_a_pair_has_a_known_value_in_both_orders():
    for names in (("greedy", "random"), ("random", "greedy")):
        assert derive_pair_secret(hash_seed("spring"), names, 0).hex() == SPRING


def test_secrets_and_ids_of_other_games_and_of_other_kinds_differ():
    orders = (["a", "b"], ["b", "a"])
    found = [derive_pair_secret(key, "ab", n).hex() for key in (KEY, KEY[::-1]) for n in range(3)]
    found += [derive_pair_secret(KEY, names, 0).hex() for names in (["a", 'b"'], ["a,b"], ["ab"])]
    found += [derive_game_secret(KEY, order, 0, nonce).hex() for order in orders for nonce in "xy"]
    found += [derive_id(KEY, ["a", "b"], 0, number) for number in range(2)]
    assert all(one[:16] != other[:16] for one, other in combinations(found, 2))


def test_names_are_hashed_as_utf_8():
    secret = "fa7ff101959327ba"
    assert derive_pair_secret(KEY, ["Zoë", "a"], 1).hex().startswith(secret)


def test_a_secret_is_not_part_of_its_representation():
    assert repr(TournamentSecret(KEY, 3)) == "TournamentSecret(first=3)"
