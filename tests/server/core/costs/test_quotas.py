"""The limits on things that the server keeps: waits and new nicks, per session and per origin."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.protocol import codec
from tabnet.server.core.costs.client_origin import LOCAL, ClientOrigin
from tabnet.server.core.costs.limits import Limits
from tabnet.server.core.costs.quotas import HOUR_MS, Quotas, Registrations, Waits
from tabnet.server.core.effects import Close, SaveRow
from tabnet.server.core.pairing.quota_checks import needs_proof
from tabnet.server.core.service import Service
from tabnet.server.storage.restore_service import restore
from tests.server.json_sessions import JsonSessions
from tests.server.memory_store import MemoryStore
from tests.server.pure import entropy

HOME, AWAY = ClientOrigin("192.0.2.1"), ClientOrigin("192.0.2.2")
PRIVATE = {"cmd": "join", "kind": "draughts", "private": True}
FISH = {"cmd": "join", "kind": "fish", "seats": 3}


class Limited(JsonSessions):
    """A service with small limits, and the rows that it stored."""

    def __init__(self, seed="", **limits):
        limits = {"waits": 2, "registrations_per_h": 2} | limits
        super().__init__(Service(entropy(seed), quotas=Quotas(Limits(**limits))))
        self.store = MemoryStore()

    def perform(self, effects):
        super().perform(effects)
        self.store.keep([effect.row for effect in effects if isinstance(effect, SaveRow)], 0)

    def codes(self, *sessions, **fields):
        """Let each session in turn send a command; return the codes of the replies."""
        return [self.say(session, **fields)[0].get("code") for session in sessions]


@pytest.fixture
def limited():
    """A service with sessions 1 to 4 at home and 5 away, all of them guests."""
    limited = Limited()
    for session in (1, 2, 3, 4):
        limited.enter(session, origin=HOME)
    limited.enter(5, origin=AWAY)
    return limited


# Waits


def test_one_wait_too_many_of_an_origin_is_refused_and_the_session_goes_on(limited):
    assert limited.codes(1, 2, 3, **PRIVATE) == [None, None, "too_many_waits"]
    refused = limited.say(3, **PRIVATE)[0]
    assert (refused["retry_after"], refused["hint"]) == (60, "leave one of them")
    assert refused["error"].endswith("already holds 2 waits, the maximum")
    assert not any(isinstance(effect, Close) for effect in limited.others)
    assert len(limited.service.games.lobby.tables) == 2
    assert limited.codes(5, **PRIVATE) == [None]  # another origin


def test_public_waits_count_too(limited):
    assert limited.codes(1, **PRIVATE) == [None]
    assert limited.codes(2, 3, **FISH) == [None, "too_many_waits"]


def test_an_exempt_session_has_the_limit_of_a_session():
    limited = Limited()
    limited.enter(1)
    limited.enter(2)
    joins = [{**PRIVATE, "group": group} for group in (1, 2, 3)]
    assert [limited.codes(1, **join)[0] for join in joins] == [None, None, "too_many_waits"]
    assert limited.codes(2, **PRIVATE) == [None]


def test_joining_the_same_wait_again_is_always_possible_and_counts_once(limited):
    assert limited.codes(1, 2, 1, 1, 2, **PRIVATE) == [None] * 5
    limited.say(1, cmd="leave")
    assert limited.codes(3, 4, **PRIVATE) == [None, "too_many_waits"]


def test_a_wait_that_ends_makes_room(limited):
    limited.codes(1, 2, **PRIVATE)
    limited.say(1, cmd="leave")
    assert limited.codes(3, 4, **PRIVATE) == [None, "too_many_waits"]
    limited.perform(limited.service.apply_timeouts(limited.service.deadline))
    assert limited.codes(1, 4, 2, **PRIVATE) == [None, None, "too_many_waits"]


def test_a_wait_that_becomes_a_game_makes_room_for_all_its_players(limited):
    invite = limited.say(1, **FISH, private=True)[0]["invite"]
    assert limited.codes(2, cmd="join", invite=invite) == [None]
    assert limited.codes(3, **PRIVATE) == ["too_many_waits"]
    assert limited.codes(5, cmd="join", invite=invite) == [None]  # now it is a game
    assert limited.codes(3, 4, **PRIVATE) == [None, None]


def test_an_invite_that_completes_a_game_is_never_refused(limited):
    (away,) = limited.say(5, **PRIVATE)
    assert limited.codes(1, 2, **PRIVATE) == [None, None]
    assert limited.codes(3, cmd="join", invite=away["invite"]) == [None]


def test_a_finished_game_is_asked_for_again_within_the_limits(limited):
    invite = limited.say(5, **PRIVATE)[0]["invite"]
    joined = limited.say(1, cmd="join", invite=invite)[0]
    limited.say(1, cmd="leave")
    again = {"cmd": "join", "again": joined["game"], "token": joined["token"]}
    assert limited.codes(1, 2, **PRIVATE) == [None, None]
    assert limited.codes(1, **again) == ["too_many_waits"]
    limited.say(2, cmd="leave")
    assert limited.codes(1, 3, 4, **again) == [None, None, None]  # one wait, asked for three times
    assert limited.codes(2, **PRIVATE) == ["too_many_waits"]


def test_an_invite_to_a_table_that_goes_on_waiting_counts_as_a_wait(limited):
    invite = limited.say(5, **FISH, private=True)[0]["invite"]
    limited.codes(1, 2, **PRIVATE)
    assert limited.codes(3, cmd="join", invite=invite) == ["too_many_waits"]


def test_a_guest_that_only_waits_makes_room_by_disconnecting(limited):
    limited.codes(1, 2, **FISH)
    limited.perform(limited.service.disconnect(1))
    assert limited.codes(3, **PRIVATE) == [None]


def test_a_wait_counts_for_the_origin_that_opened_it():
    limited = Limited()
    limited.enter(1, "zp", HOME)
    limited.enter(2, "zp", AWAY)
    for group in (1, 2):
        assert limited.codes(1, 2, **PRIVATE, group=group) == [None, None]
    assert limited.codes(1, **PRIVATE, group=3) == ["too_many_waits"]
    assert limited.codes(2, **PRIVATE, group=3) == [None]
    players = [row.players[0]["origin"] for row in limited.store.tables.values()]
    assert players == [HOME.key, HOME.key, AWAY.key]


def test_after_a_restart_waits_still_count_for_their_origin(limited):
    limited.codes(1, 2, **PRIVATE)
    limited.enter(6, origin=LOCAL)
    limited.codes(6, **PRIVATE)
    after = Limited("after")
    after.store = limited.store.copy()
    restore(after.service, limited.store.saved(0), 0)
    after.enter(1, origin=HOME)
    after.enter(2, origin=AWAY)
    assert after.codes(1, 2, **PRIVATE) == ["too_many_waits", None]
    after.perform(after.service.apply_timeouts(after.service.deadline))
    assert after.codes(1, **PRIVATE) == [None]


@pytest.mark.slow
def test_three_thousand_private_waits_of_one_origin():
    limited = Limited(waits=Limits().waits)
    board = [[5] * 15] * 15
    for session in range(3000):
        limited.enter(session, origin=HOME)
        limited.say(session, **PRIVATE | {"kind": "fish", "board": board})
    assert len(limited.service.games.lobby.tables) == Limits().waits == 300


def test_a_hundred_players_behind_one_address_fit_into_the_defaults():
    limited = Limited(waits=Limits().waits, registrations_per_h=Limits().registrations_per_h)
    for session in range(100):
        limited.enter(session, f"player {session}", HOME)
    assert limited.codes(*range(100), **PRIVATE) == [None] * 100
    assert limited.codes(*range(100), cmd="join", group=1, size=7) == [None] * 100


STEPS = st.sampled_from([PRIVATE, FISH, {"cmd": "leave"}])


@given(st.lists(st.tuples(st.integers(1, 4), STEPS)))
def test_the_counts_are_those_of_the_lobby(steps):
    limited = Limited(waits=3)
    for session in (1, 2, 3, 4):
        limited.enter(session, origin=HOME if session % 2 else AWAY)
    for session, step in steps:
        limited.say(session, **step)
        tables = limited.service.games.lobby.tables.values()
        for origin in (HOME, AWAY):
            waiting = sum(
                player.origin == origin.key for table in tables for player in table.players
            )
            assert limited.service.quotas.waits.count((origin.key,)) == waiting
    for session in (1, 2, 3, 4):
        limited.perform(limited.service.disconnect(session))
    limited.perform(limited.service.apply_timeouts(10**12))
    assert limited.service.quotas.waits == Waits()


# Registrations


def test_one_new_nick_too_many_in_an_hour_is_refused(limited):
    limited.enter(1, "zp", HOME)
    limited.enter(2, "jpleal", HOME)
    refused = limited.say(3, cmd="register", nick="abc", password="x")[0]
    assert (refused["code"], refused["field"]) == ("too_many_registrations", "nick")
    assert refused["retry_after"] == 3600
    assert limited.codes(3, cmd="register", nick="zp", password="x") == [None]  # a login
    assert limited.codes(5, cmd="register", nick="abc", password="x") == [None]


def test_a_refused_registration_is_not_hashed(limited):
    def is_hashed(nick, cmd="register", now=0):
        command = codec.decode(json.dumps({"cmd": cmd, "nick": nick, "password": "x"}).encode())
        return needs_proof(limited.service, 3, command, now)

    assert is_hashed("abc")
    limited.enter(1, "zp", HOME)
    limited.enter(2, "jpleal", HOME)
    assert not is_hashed("abc")
    assert is_hashed("abc", now=HOUR_MS)
    assert is_hashed("zp")
    assert is_hashed("zp", cmd="leave")
    assert not is_hashed("guest-1234")
    assert not needs_proof(limited.service, 3, codec.decode(b'{"cmd":"leave","nick":"zp"}'), 0)


def test_an_hour_after_the_first_nick_there_is_room_again():
    registrations = Registrations()
    registrations.add(("a", "b"), 0)
    registrations.add(("a", "c"), 1000)
    assert registrations.compute_delay(("a",), 2, 5000) == HOUR_MS - 5000
    assert registrations.compute_delay(("b", "c"), 2, 5000) == 0
    assert registrations.compute_delay(("a",), 2, HOUR_MS) == 0
    registrations.add(("c",), HOUR_MS)
    registrations.add(("c",), HOUR_MS + 1000)
    assert registrations.compute_delay(("c",), 1, HOUR_MS + 1000) == HOUR_MS
    assert registrations.compute_delay(("a",), 1, HOUR_MS + 1000) == 0
    registrations.add(("d",), 3 * HOUR_MS)
    assert registrations == Registrations({"d": (3 * HOUR_MS, 1)})
