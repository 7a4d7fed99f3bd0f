"""Nicks, proofs and tokens."""

from __future__ import annotations

import pytest

from tabnet.errors import Refused
from tabnet.server.core.players.accounts import MAX_NETWORKS, Accounts, Proof, digest_token

PROOF = Proof(b"salt", b"digest")
WRONG = Proof(b"salt", b"another")


def code(caught: pytest.ExceptionInfo[Refused]) -> tuple[str, str | None]:
    return caught.value.code, caught.value.field


def test_a_nick_belongs_to_its_first_registration() -> None:
    accounts = Accounts()
    assert accounts.get_salt("zp") is None
    assert accounts.register("zp", PROOF) is True
    assert accounts.get_salt("zp") == b"salt"
    assert accounts.register("zp", PROOF) is False
    with pytest.raises(Refused) as caught:
        accounts.register("zp", WRONG)
    assert code(caught) == ("wrong_password", "password")
    assert caught.value.text == "User registered with a different password"
    accounts.check("zp", PROOF)


@pytest.mark.parametrize("proof", [WRONG, None])
def test_a_wrong_password_is_refused(proof: Proof | None) -> None:
    accounts = Accounts()
    accounts.register("zp", PROOF)
    with pytest.raises(Refused) as caught:
        accounts.check("zp", proof)
    assert code(caught) == ("wrong_password", "password")


def test_an_unregistered_nick_is_unknown() -> None:
    with pytest.raises(Refused) as caught:
        Accounts().check("zp", PROOF)
    assert code(caught) == ("not_registered", "nick")


@pytest.mark.parametrize("nick", ["guest-", "guest-0a1b2c3d", "house-", "house-greedy.1"])
def test_guest_and_house_names_cannot_be_registered(nick: str) -> None:
    accounts = Accounts()
    with pytest.raises(Refused) as caught:
        accounts.register(nick, PROOF)
    assert code(caught) == ("reserved_nick", "nick")
    assert accounts.get_salt(nick) is None
    assert accounts.register("guest", PROOF)


def test_nicks_that_differ_in_one_letter_are_different() -> None:
    accounts = Accounts()
    assert [accounts.register(nick, PROOF) for nick in ("zp", "ZP", "z p")] == [True] * 3


def test_a_token_stands_for_its_seat_until_the_next() -> None:
    accounts = Accounts()
    accounts.give_token("g", "zp", digest_token("one"))
    accounts.give_token("g", "jpleal", digest_token("two"))
    accounts.give_token("h", "zp", digest_token("three"))
    assert accounts.find_seat_of_token("one") == ("g", "zp")
    accounts.give_token("g", "zp", digest_token("four"))
    for token, seat in (("two", ("g", "jpleal")), ("three", ("h", "zp")), ("four", ("g", "zp"))):
        assert accounts.find_seat_of_token(token) == seat
    with pytest.raises(Refused) as caught:
        accounts.find_seat_of_token("one")
    assert code(caught) == ("bad_token", "token")


def test_a_void_token_is_forgotten() -> None:
    accounts = Accounts()
    accounts.give_token("g", "zp", digest_token("one"))
    assert "one" not in repr(accounts)  # only its digest is kept
    accounts.void_token("g", "zp")
    accounts.void_token("g", "zp")
    with pytest.raises(Refused):
        accounts.find_seat_of_token("one")
    assert repr(accounts) == repr(Accounts())


def test_a_token_is_known_until_it_is_forgotten() -> None:
    accounts = Accounts()
    accounts.give_token("g", "zp", digest_token("one"))
    assert accounts.knows_token("one")
    assert not accounts.knows_token("two")
    accounts.give_token("g", "zp", digest_token("two"))
    assert not accounts.knows_token("one")


def test_a_password_may_be_replaced() -> None:
    accounts = Accounts()
    accounts.set_proof("zp", PROOF)
    accounts.set_proof("zp", Proof(b"other salt", b"another"))
    assert accounts.get_salt("zp") == b"other salt"
    with pytest.raises(Refused) as caught:
        accounts.check("zp", PROOF)
    assert code(caught) == ("wrong_password", "password")


def test_a_banned_player_learns_the_reason_only_with_the_password() -> None:
    accounts = Accounts()
    accounts.register("zp", PROOF)
    accounts.ban("zp", "cheating")
    for attempt in (accounts.check, accounts.register):
        with pytest.raises(Refused) as caught:
            attempt("zp", PROOF)
        assert code(caught) == ("banned", "nick")
        assert caught.value.text == "zp is banned: cheating"
        with pytest.raises(Refused) as caught:
            attempt("zp", WRONG)
        assert code(caught) == ("wrong_password", "password")
    accounts.ban("zp", None)
    accounts.ban("jpleal", None)
    accounts.check("zp", PROOF)
    assert accounts.register("zp", PROOF) is False


def test_only_the_latest_networks_of_a_nick_are_stored() -> None:
    accounts = Accounts()
    networks = [f"192.0.{n}.0/24" for n in range(MAX_NETWORKS + 1)]
    for network in networks:
        assert not accounts.has_network("zp", network)
        kept = accounts.add_network("zp", network)
    assert list(kept) == networks[1:]
    assert [accounts.has_network("zp", network) for network in networks] == [
        False,
        *[True] * MAX_NETWORKS,
    ]
    assert not accounts.has_network("jpleal", networks[-1])
    accounts.set_networks("zp", ("home",))
    assert accounts.has_network("zp", "home")
    assert not accounts.has_network("zp", networks[-1])
