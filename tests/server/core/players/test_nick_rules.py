"""The nicks that can be registered."""

from __future__ import annotations

import itertools
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.errors import Refused
from tabnet.protocol.messages import NICK
from tabnet.server.core.players.accounts import Accounts, Proof
from tabnet.server.core.players.nick_rules import INVISIBLE, LOOK_ALIKES, require_new_nick
from tests.server.pure import Referee

PROOF = Proof(b"salt", b"digest")


def refusal(nick: str) -> tuple[str, str | None]:
    """Return code and hint of the refusal of a new nick."""
    with pytest.raises(Refused) as caught:
        require_new_nick(nick)
    assert caught.value.field == "nick"
    return caught.value.code, caught.value.hint


@pytest.mark.parametrize(
    "nick",
    [
        *(
            "zp",
            "z p",
            "Zé",
            "Владимир",
            "Ωmega",
            "東京",
            "house",
            "guest",
            "guesthouse",
            "houses-1",
        ),
        *("my guest-1", "♞", "🦊", "g-uest-", "'; --", "ñandú", "é" * 32),
    ],
)
def test_a_nick_with_visible_characters_in_normal_form_is_free(nick: str) -> None:
    assert Accounts().register(nick, PROOF)


@pytest.mark.parametrize(
    ("nick", "right"),
    [
        ("ｚｐ", "zp"),
        ("zp\u00b2", "zp2"),
        ("e\u0301a", "éa"),
        ("ﬁsh", "fish"),
        ("z\u2800p", "zp"),
        ("z\u3164p", "zp"),
        ("\u115fzp\u1160", "zp"),
        ("zp\uffa0", "zp"),
        ("\u2764\ufe0f", "\u2764"),
        ("z\u202ep", "zp"),
        ("z\u200dp\u2066", "zp"),
        ("\u2800 zp", "zp"),
        ("\u00a0zp", "zp"),
    ],
)
def test_the_hint_is_the_right_form(nick: str, right: str) -> None:
    assert refusal(nick) == ("bad_value", right)
    assert Accounts().register(right, PROOF)


@pytest.mark.parametrize(
    "nick", ["\u2800", "\u3164", "\u0301", "\u0301\u0323", "\u115f\u1160", "\u2800\u0301", "ﷺ" * 2]
)
def test_without_a_right_form_the_hint_describes_nicks(nick: str) -> None:
    assert refusal(nick) == ("bad_value", NICK["hint"])


def test_invisible_characters_are_refused() -> None:
    for character in sorted(INVISIBLE):
        assert refusal(f"z{character}p") == ("bad_value", "zp")


@pytest.mark.parametrize(
    "nick",
    [
        *("guest-", "guest-0a1b2c3d", "house-", "house-greedy.1", "HOUSE-x", "Guest-x"),
        *("ｇuest-1", "ｈｏｕｓｅ－1", "hou\u017fe-1", "𝐠𝐮𝐞𝐬𝐭-1"),
        *("guеst-1", "hоusе-1", "НОUЅЕ-1", "һοuѕе-1", "guεsτ-1", "GUΕSΤ-1", "ɡuest-1"),
        *("guest\u20101", "guest\u20131", "guest\u22121", "hοusе\u20111"),
        *("gu\u2800est-1", "\u3164house-1", "hou\u200bse-1"),
    ],
)
def test_nicks_that_look_like_those_of_the_server_are_reserved(nick: str) -> None:
    assert refusal(nick)[0] == "reserved_nick"


def test_any_mix_of_look_alikes_is_reserved() -> None:
    for prefix in ("guest-", "house-"):
        alike = [
            [letter, *(chr(c) for c, v in LOOK_ALIKES.items() if v == letter)] for letter in prefix
        ]
        for letters in itertools.islice(itertools.product(*alike), 5000):
            assert refusal("".join(letters) + "1")[0] == "reserved_nick"


@given(st.text(min_size=1, max_size=32))
def test_an_accepted_nick_is_visible_and_normal(nick: str) -> None:
    try:
        require_new_nick(nick)
    except Refused as refused:
        if refused.code == "bad_value" and refused.hint != NICK["hint"]:
            require_new_nick(str(refused.hint))
    else:
        assert unicodedata.is_normalized("NFKC", nick)
        assert not INVISIBLE & set(nick)
        assert all(unicodedata.category(character)[0] != "C" for character in nick)


@pytest.mark.parametrize("nick", ["ｚｐ", "\u2800", "house-old", "guеst-1"])
def test_an_account_that_exists_keeps_its_nick(nick: str) -> None:
    referee = Referee()
    referee.service.accounts.set_proof(nick, referee.prove(nick, "secret"))
    session = referee.connect()
    assert referee.say(session, "register", nick=nick, password="secret") == {}
    assert referee.say(session, "join", kind="draughts")["nick"] == nick
    other = referee.connect()
    code, _ = referee.refused(other, "register", nick=f"{nick}\u2800", password="secret")
    assert code in ("bad_value", "reserved_nick")


# -- guests


def test_a_guest_name_has_64_bits() -> None:
    referee = Referee()
    nick = referee.say(referee.connect(), "join", kind="draughts")["nick"]
    assert len(bytes.fromhex(nick.removeprefix("guest-"))) == 8


def test_a_guest_name_in_use_is_never_given_again() -> None:
    referee = Referee()
    service, entropy = referee.service, referee.service.entropy
    drawn: list[bytes] = []
    service.entropy = lambda size: drawn.pop(0) if drawn else entropy(size)

    def join(session: int, *draws: int, **fields: Any) -> str:
        """Join as a guest; the next names that are drawn are these."""
        drawn[:] = [bytes([draw]) * 8 for draw in draws]
        nick: str = referee.say(session, "join", **fields)["nick"]
        return nick

    def name(draw: int) -> str:
        return f"guest-{bytes([draw]).hex() * 8}"

    waiting, one, other, idle = (referee.connect() for _ in range(4))
    assert join(waiting, 1, kind="draughts", group=1, private=True) == name(1)
    assert join(one, 1, 2, kind="draughts", group=2) == name(2)
    assert join(other, 2, 1, 3, kind="draughts", group=2) == name(3)
    assert join(idle, 3, 2, 1, 4, kind="draughts", group=3) == name(4)
    assert referee.say(idle, "leave") == {}
    for session in (waiting, one, other):
        referee.disconnect(session)
    # the names of seats stay in use without a connection, and that of a connection without a seat
    last = referee.connect()
    assert join(last, 1, 2, 3, 4, 5, kind="draughts", group=4) == name(5)
    referee.disconnect(idle)
    assert join(referee.connect(), 4, kind="draughts", group=5) == name(4)
