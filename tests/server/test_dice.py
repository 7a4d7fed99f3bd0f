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
from tabnet.server.dice import NO_SALT, Dice

SECRET = bytes(range(32))
TAB = GAMES["tab"]


def described(secret: bytes, mixes: list[bytes], seat: int, number: int, retry: int) -> bytes:
    """The bytes of a throw, as the protocol describes them."""
    numbers = b"".join(n.to_bytes(4, "big") for n in (seat, number, retry))
    text = b"tabnet-dice-1" + b"".join(mixes) + numbers
    return hmac.new(secret, text, hashlib.sha256).digest()


def test_the_commitment() -> None:
    dice = Dice("fa93b40c7d21e658", SECRET, (NO_SALT, NO_SALT))
    text = b"tabnet-commit-1" + b"fa93b40c7d21e658" + SECRET
    assert dice.commitment() == hashlib.sha256(text).hexdigest()
    assert Dice("another", SECRET, dice.mixes).commitment() != dice.commitment()
    assert Dice(dice.game, bytes(32), dice.mixes).commitment() != dice.commitment()


def test_a_known_throw() -> None:
    dice = Dice("fa93b40c7d21e658", SECRET, (NO_SALT, NO_SALT))
    thrown = [dice.throw(TAB, seat, number) for seat in (0, 1) for number in range(4)]
    expected = [
        Roll(described(SECRET, [bytes(32)] * 2, seat, number, 0)[0] & 15)
        for seat in (0, 1)
        for number in range(4)
    ]
    assert thrown == expected
    assert thrown == [dice.throw(TAB, seat, number) for seat in (0, 1) for number in range(4)]


@settings(derandomize=True, database=None, deadline=None, max_examples=50)
@given(
    st.binary(min_size=32, max_size=32),
    st.lists(st.binary(min_size=32, max_size=32), min_size=2, max_size=4),
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1),
)
def test_a_stream_goes_on_with_the_next_retry(
    secret: bytes, mixes: list[bytes], seat: int, number: int
) -> None:
    next_byte = Dice("g", secret, tuple(mixes)).stream(seat, number)
    wanted = b"".join(described(secret, mixes, seat, number, retry) for retry in range(3))
    assert bytes(islice(iter(next_byte, None), 96)) == wanted


def test_a_seat_gets_its_throws_however_often_the_other_rolls() -> None:
    one, two = (Dice(game, SECRET, (NO_SALT, NO_SALT)) for game in ("one", "two"))
    assert one.throw(TAB, 0, 5) == two.throw(TAB, 0, 5)
    firsts = [[one.throw(TAB, seat, number) for number in range(40)] for seat in (0, 1)]
    assert firsts[0] != firsts[1]


def test_salts_change_the_throws() -> None:
    plain = Dice("g", SECRET, (NO_SALT, NO_SALT))
    salted = Dice("g", SECRET, (NO_SALT, bytes([1]) * 32))
    throws = [[dice.throw(TAB, 0, number) for number in range(40)] for dice in (plain, salted)]
    assert throws[0] != throws[1]


def test_the_sticks_are_fair() -> None:
    dice = Dice("g", SECRET, (NO_SALT, NO_SALT))
    thrown = Counter(dice.throw(TAB, 0, number).outcome for number in range(4800))
    assert set(thrown) == set(range(16))
    assert all(240 <= count <= 360 for count in thrown.values())


def test_games_without_dice_have_no_throws() -> None:
    with pytest.raises(InvalidOptions) as caught:
        Dice("g", SECRET, (NO_SALT, NO_SALT)).throw(GAMES["draughts"], 0, 0)
    assert caught.value.code == "no_roll"
