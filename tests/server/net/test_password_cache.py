"""Passwords that were right a moment ago."""

from __future__ import annotations

from tabnet.server.core.players.accounts import Proof
from tabnet.server.net import password_cache as remembered
from tabnet.server.net.password_cache import LIFE_MS, PasswordCache

PROOF, OTHER = Proof(b"salt", b"digest"), Proof(b"salt", b"other")


def test_a_password_is_found_for_its_nick_and_origin_alone():
    known = PasswordCache(b"key")
    known.keep("home", "zp", "secret", PROOF, 0)
    assert known.find("home", "zp", "secret", 1) == PROOF
    for origin, nick, password in (
        ("away", "zp", "secret"),
        ("home", "jpleal", "secret"),
        ("home", "zp", "Secret"),
    ):
        assert known.find(origin, nick, password, 1) is None


def test_it_is_forgotten_after_a_while_however_often_it_is_asked_for():
    known = PasswordCache(b"key")
    known.keep("home", "zp", "secret", PROOF, 5)
    assert known.find("home", "zp", "secret", LIFE_MS + 4) == PROOF
    assert known.find("home", "zp", "secret", LIFE_MS + 5) is None


def test_the_password_itself_is_nowhere_and_its_digest_is_of_no_use_elsewhere():
    first, second = PasswordCache(b"key"), PasswordCache(b"another")
    for known in (first, second):
        known.keep("home", "zp", "secret", PROOF, 0)
        assert "secret" not in repr(known)
    assert repr(first).replace("key", "another") != repr(second)


def test_what_was_right_last_counts():
    known = PasswordCache(b"key")
    known.keep("home", "zp", "secret", PROOF, 0)
    known.keep("home", "zp", "secret", OTHER, 1)
    assert known.find("home", "zp", "secret", 2) == OTHER


def test_no_more_are_remembered_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(remembered, "MOST", 2)
    known = PasswordCache(b"key")
    for nick in ("zp", "jpleal", "third"):
        known.keep("home", nick, "secret", PROOF, 0)
    assert known.find("home", "zp", "secret", 1) is None
    assert known.find("home", "jpleal", "secret", 1) == PROOF


def test_old_ones_are_dropped_as_new_ones_come():
    known = PasswordCache(b"key")
    for number in range(100):
        known.keep("home", str(number), "secret", PROOF, number * LIFE_MS)
    assert len(known) == 1
