"""The cache of correct passwords."""

from __future__ import annotations

from tabnet.server.core.players.accounts import Proof
from tabnet.server.net import password_cache
from tabnet.server.net.password_cache import LIFE_MS, PasswordCache

PROOF, OTHER = Proof(b"salt", b"digest"), Proof(b"salt", b"other")


def test_a_password_is_found_for_its_nick_and_origin_alone():
    cache = PasswordCache(b"key")
    cache.add("home", "zp", "secret", PROOF, 0)
    assert cache.find("home", "zp", "secret", 1) == PROOF
    for origin, nick, password in (
        ("away", "zp", "secret"),
        ("home", "jpleal", "secret"),
        ("home", "zp", "Secret"),
    ):
        assert cache.find(origin, nick, password, 1) is None


def test_a_password_expires_even_if_it_is_used():
    cache = PasswordCache(b"key")
    cache.add("home", "zp", "secret", PROOF, 5)
    assert cache.find("home", "zp", "secret", LIFE_MS + 4) == PROOF
    assert cache.find("home", "zp", "secret", LIFE_MS + 5) is None


def test_the_cache_holds_only_digests_under_its_own_key():
    first, second = PasswordCache(b"key"), PasswordCache(b"another")
    for cache in (first, second):
        cache.add("home", "zp", "secret", PROOF, 0)
        assert "secret" not in repr(cache)
    assert repr(first).replace("key", "another") != repr(second)


def test_the_latest_proof_counts():
    cache = PasswordCache(b"key")
    cache.add("home", "zp", "secret", PROOF, 0)
    cache.add("home", "zp", "secret", OTHER, 1)
    assert cache.find("home", "zp", "secret", 2) == OTHER


def test_the_oldest_password_is_dropped_from_a_full_cache(monkeypatch):
    monkeypatch.setattr(password_cache, "MAX_SIZE", 2)
    cache = PasswordCache(b"key")
    for nick in ("zp", "jpleal", "third"):
        cache.add("home", nick, "secret", PROOF, 0)
    assert cache.find("home", "zp", "secret", 1) is None
    assert cache.find("home", "jpleal", "secret", 1) == PROOF


def test_expired_passwords_are_dropped_as_new_ones_come():
    cache = PasswordCache(b"key")
    for number in range(100):
        cache.add("home", str(number), "secret", PROOF, number * LIFE_MS)
    assert len(cache) == 1
