"""Committed dice, recomputed from their description."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.errors import InvalidOptions
from tabnet.games import GAMES
from tabnet.games.api import Roll
from tabnet.games.fish import FISH, FishOptions
from tabnet.protocol.dice import NO_SALT, SALT_BYTES, Dice, hash_salt, mix_salt

GAME = "fa93b40c7d21e658"
SECRET = bytes(range(32))
SALTS = (bytes(range(100, 116)), bytes(range(100, 164)))
TAB = GAMES["tab"]


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def block(
    secret: bytes, salts: list[bytes | None], seat: int, number: int, retry: int = 0
) -> bytes:
    """The bytes of a throw, written again from the protocol's text alone."""
    text = b"tabnet-dice-1"
    for salt in salts:
        text += bytes(32) if salt is None else hashlib.sha256(b"tabnet-mix-1" + salt).digest()
    return hmac.new(secret, text + u32(seat) + u32(number) + u32(retry), hashlib.sha256).digest()


def dice_with(*salts: bytes | None, game: str = GAME, secret: bytes = SECRET) -> Dice:
    return Dice(game, secret, tuple(mix_salt(salt) for salt in salts))


def throws(dice: Dice, seat: int = 0, count: int = 40) -> list[object]:
    return [dice.throw(TAB, seat, number).outcome for number in range(count)]


def test_the_commitment_is_the_documented_hash() -> None:
    commitment = dice_with(None, None).commitment()
    text = b"tabnet-commit-1" + GAME.encode() + SECRET
    assert commitment == hashlib.sha256(text).hexdigest()
    assert commitment == "ddf1078554faf1d68b0b32d5b6ba640fdd2b746112689df100199413b14b0880"
    assert dice_with(None, None, game="another").commitment() != commitment
    assert dice_with(None, None, secret=bytes(32)).commitment() != commitment
    assert dice_with(*SALTS).commitment() == commitment


def test_the_hash_and_the_mixing_of_a_salt_match_known_values() -> None:
    assert hash_salt(SALTS[0]) == hashlib.sha256(b"tabnet-salt-1" + SALTS[0]).hexdigest()
    assert hash_salt(SALTS[0]) == "7d86d57885ce53cf7638556b9f141f6eaf6a0c7d6744fe4f962fc83d54fc32a0"
    assert mix_salt(SALTS[0]) == hashlib.sha256(b"tabnet-mix-1" + SALTS[0]).digest()
    assert (
        mix_salt(SALTS[0]).hex()
        == "2c5ea560b15ca928dd4ea444d997db647a7d34efbd611e7afe053c872c8d96c6"
    )
    assert mix_salt(None) == NO_SALT == bytes(32)


def test_a_salt_has_16_to_64_bytes() -> None:
    assert [size for size in range(100) if size in SALT_BYTES] == list(range(16, 65))


@pytest.mark.parametrize(
    ("salts", "outcomes"),
    [
        ((None, None), ([12, 12, 2, 11, 7, 10], [7, 0, 8, 14, 4, 4])),
        ((SALTS[0], None), ([4, 5, 0, 9, 15, 13], [11, 7, 0, 12, 4, 4])),
        ((None, SALTS[0]), ([9, 6, 3, 0, 0, 1], [6, 15, 2, 4, 3, 5])),
        (SALTS, ([2, 8, 4, 12, 2, 8], [3, 13, 13, 5, 12, 2])),
    ],
)
def test_known_secrets_give_known_throws(
    salts: tuple[bytes | None, ...], outcomes: tuple[list[int], list[int]]
) -> None:
    dice = dice_with(*salts)
    assert tuple(throws(dice, seat, len(outcomes[seat])) for seat in (0, 1)) == outcomes


@settings(max_examples=100)
@given(
    st.binary(min_size=32, max_size=32),
    st.lists(st.none() | st.binary(min_size=16, max_size=64), min_size=2, max_size=4),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
)
def test_a_stream_continues_with_the_next_retry(
    secret: bytes, salts: list[bytes | None], seat: int, number: int
) -> None:
    dice = dice_with(*salts, secret=secret)
    wanted = b"".join(block(secret, salts, seat, number, retry) for retry in range(3))
    assert bytes(islice(iter(dice.open_byte_stream(seat, number), None), 96)) == wanted
    assert dice.throw(TAB, seat, number) == Roll(wanted[0] & 15)


def test_salts_do_not_change_the_deal_of_a_board() -> None:
    options = FishOptions(rows=3, cols=3)
    text = b"tabnet-dice-1" + bytes(2 * 32) + b"\xff" * 4 + u32(0) + u32(0)
    stream = hmac.new(SECRET, text, hashlib.sha256).digest()
    wanted = [1 + byte % 5 for byte in stream if byte < 255][:9]
    for dice in (dice_with(None, None), dice_with(*SALTS), dice_with(None, None, game="other")):
        assert [fish for row in dice.layout(FISH, options) for fish in row] == wanted
    assert dice.layout(TAB, TAB.options()) is None
    three = b"tabnet-dice-1" + bytes(3 * 32) + b"\xff" * 4 + u32(0) + u32(0)
    other = hmac.new(SECRET, three, hashlib.sha256).digest()
    assert dice_with(None, None, None).layout(FISH, options)[0][0] == 1 + other[0] % 5


def test_the_throws_of_a_seat_do_not_depend_on_the_opponent() -> None:
    one, two = (dice_with(None, None, game=game) for game in ("one", "two"))
    assert one.throw(TAB, 0, 5) == two.throw(TAB, 0, 5)
    assert throws(one, 0) != throws(one, 1)


def test_each_salt_in_each_seat_changes_the_throws() -> None:
    one, two = SALTS
    pairs = [(None, None), (one, None), (None, one), (one, two), (two, one)]
    assert len({tuple(throws(dice_with(*salts))) for salts in pairs}) == len(pairs)


@pytest.mark.parametrize("salts", [(None, None), SALTS])
def test_the_sticks_are_fair(salts: tuple[bytes | None, ...]) -> None:
    """Chi-square over the 16 outcomes; fair sticks stay below 37.7 in 999 of 1,000 secrets."""
    dice = dice_with(*salts)
    thrown = Counter(dice.throw(TAB, n % 2, n // 2).outcome for n in range(100_000))
    expected = 100_000 / 16
    assert set(thrown) == set(range(16))
    assert sum((count - expected) ** 2 / expected for count in thrown.values()) < 37.7


def test_games_without_dice_have_no_throws() -> None:
    with pytest.raises(InvalidOptions) as caught:
        dice_with(None, None).throw(GAMES["draughts"], 0, 0)
    assert caught.value.code == "no_roll"
