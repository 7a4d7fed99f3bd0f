"""Requests of the operator."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tabnet.server.admin.requests import execute
from tabnet.server.core.game_index import SetAside
from tabnet.server.core.rows import RoomOpened
from tests.server.pure import JSON, Pair, Referee, pair

TERMS = {"group": 99, "size": 9}


def reset(referee: Referee, nick: str, password: str, salt: bytes = b"new salt") -> JSON:
    digest = hashlib.sha256(salt + password.encode()).hexdigest()
    return referee.order("reset-password", nick=nick, salt=salt.hex(), digest=digest)


def kinds(referee: Referee, since: int) -> list[str]:
    """Return the types of the rows that were stored after the first `since`."""
    return [type(row).__name__ for row in referee.rows[since:]]


# -- end


def test_a_game_is_ended_without_a_winner(referee: Referee) -> None:
    duel = pair(referee)
    referee.wait(5)
    duel.done("zp", "draw", offer=True)
    kept = len(referee.rows)
    answer = referee.order("end", game=duel.game)
    assert answer == {"done": "the game of zp and jpleal is over"}
    last = referee.update(duel.zp)
    assert referee.update(duel.jpleal) == last
    assert last["event"] == {"type": "end"}
    assert (last["winner"], last["turn"], last["expects"]) == (None, None, None)
    points = {"zp": 0, "jpleal": 0}
    assert last["result"] == {"winners": [], "points": points, "reason": "ended"}
    assert last["clock"] == {"zp": 115, "jpleal": 120}
    assert len(last["dice_secret"]) == 64
    assert kinds(referee, kept) == ["MatchEvent", "MatchEnded"]
    assert [log.fields for log in referee.logs if log.event == "admin"] == [
        {"do": "end", "done": answer["done"]}
    ]
    assert referee.order("end", game=duel.game) == {"error": "the game is over"}


@pytest.mark.parametrize("is_private", [True, False])
def test_a_wait_is_ended(referee: Referee, is_private: bool) -> None:
    zp = referee.login("zp")
    joined = referee.say(zp, "join", **TERMS, private=is_private)
    kept = len(referee.rows)
    answer = referee.order("end", game=joined["game"])
    assert answer == {"done": "the wait of zp is over"}
    over = {"type": "update", "game": joined["game"], "seq": 1, "winner": None}
    assert referee.received(zp) == [over]
    assert kinds(referee, kept) == ["WaitOver"]
    assert referee.refused(zp, "leave", token=joined["token"])[0] == "bad_token"
    assert referee.refused(zp, "leave")[0] == "which_game"
    assert referee.order("end", game=joined["game"]) == {"error": "Invalid game reference"}
    assert referee.service.deadline is None


def test_a_failed_request_still_applies_timeouts(referee: Referee) -> None:
    duel = pair(referee)
    referee.now = 120_000  # nobody has ticked
    assert referee.order("end", game="x") == {"error": "Invalid game reference"}
    assert referee.update(duel.zp)["result"]["reason"] == "timeout"
    other = pair(referee)
    referee.now = 240_000
    assert referee.order("end", game=other.game) == {"error": "the game is over"}
    assert referee.updates(other.zp)[-1]["result"]["reason"] == "timeout"


# -- reset-password


def test_only_the_new_password_is_accepted(referee: Referee) -> None:
    zp, again, jpleal = (referee.login(nick) for nick in ("zp", "zp", "jpleal"))
    kept = len(referee.rows)
    assert reset(referee, "zp", "another one") == {"done": "zp has a new password"}
    assert kinds(referee, kept) == ["Registered"]
    assert referee.closed == {zp, again}
    reason = "the operator has given zp another password: log in with that one"
    bye = {"type": "bye", "reason": reason, "code": "password_changed"}
    assert [referee.received(each) for each in (zp, again, jpleal)] == [[bye], [bye], []]
    session = referee.connect()
    old, new = ({"nick": "zp", "password": word} for word in ("secret", "another one"))
    assert referee.refused(session, "register", **old)[0] == "wrong_password"
    assert referee.refused(session, "join", **TERMS, **old)[0] == "wrong_password"
    assert referee.say(session, "register", **new) == {}
    assert referee.say(jpleal, "ping") == {}


def test_a_new_password_keeps_the_seats(referee: Referee) -> None:
    duel = pair(referee)
    reset(referee, "zp", "another one")
    session = referee.connect()
    assert referee.say(session, "register", nick="zp", password="another one") == {}
    assert referee.say(session, "roll") == {}
    assert duel.say("jpleal", "leave") == {}


def test_an_unregistered_nick_has_no_password_to_reset(referee: Referee) -> None:
    assert reset(referee, "nobody", "x") == {"error": "nobody is not registered"}
    assert referee.service.accounts.get_salt("nobody") is None


# -- add


def add(referee: Referee, nick: str, password: str) -> JSON:
    salt = b"new salt"
    digest = hashlib.sha256(salt + password.encode()).hexdigest()
    return referee.order("add", nick=nick, salt=salt.hex(), digest=digest)


def test_only_the_operator_registers_nicks_if_registration_is_closed(referee: Referee) -> None:
    known = referee.login("zp")
    referee.service.registration_is_closed = True
    session, new = referee.connect(), {"nick": "anna", "password": "her own"}
    text = "anna is not registered, and this server registers no new nicks"
    assert referee.refused(session, "register", **new) == ("registration_closed", text)
    assert referee.refused(session, "join", **TERMS, **new)[0] == "not_registered"
    assert referee.say(session, "register", **new)["field"] == "nick"
    guest = referee.say(session, "join", **TERMS)
    assert guest["nick"].startswith("guest-")
    assert referee.say(known, "register", nick="zp", password="secret") == {}
    kept = len(referee.rows)
    assert add(referee, "anna", "her own") == {"done": "anna is registered"}
    assert kinds(referee, kept) == ["Registered"]
    assert referee.say(referee.connect(), "register", **new) == {}
    again = referee.revived()
    assert again.say(again.connect(), "register", **new) == {}


def test_a_nick_that_exists_or_cannot_be_registered_is_not_added(referee: Referee) -> None:
    referee.login("zp")
    text = "zp is registered already; reset-password changes its password"
    assert add(referee, "zp", "x") == {"error": text}
    text = "nicks that begin with guest- are given by the server"
    assert add(referee, "guest-1", "x") == {"error": text}
    assert "spaces around it" in add(referee, " anna ", "x")["error"]
    wrong = referee.order("add", nick="anna", salt="x", digest="00")
    assert wrong == {"error": "salt and digest must be hexadecimal"}


# -- ban


def ban(referee: Referee, nick: str, reason: str | None = "cheating") -> JSON:
    return referee.order("ban", nick=nick, reason=reason)


def test_a_banned_nick_cannot_log_in_or_join(referee: Referee) -> None:
    zp, again, jpleal = (referee.login(nick) for nick in ("zp", "zp", "jpleal"))
    kept = len(referee.rows)
    assert ban(referee, "zp") == {"done": "zp is banned"}
    assert kinds(referee, kept) == ["Banned"]
    assert referee.closed == {zp, again}
    bye = {"type": "bye", "reason": "zp is banned: cheating", "code": "banned"}
    assert [referee.received(each) for each in (zp, again, jpleal)] == [[bye], [bye], []]
    session = referee.connect()
    banned = ("banned", "zp is banned: cheating")
    me = {"nick": "zp", "password": "secret"}
    assert referee.refused(session, "register", **me) == banned
    for cmd, fields in (
        ("join", TERMS),
        ("join", {"invite": "x"}),
        ("roll", {"game": "x"}),
        ("leave", {}),
    ):
        assert referee.refused(session, cmd, **me, **fields) == banned
    assert referee.say(session, "register", **me)["field"] == "nick"
    # nobody learns of the ban without the password
    wrong = {"nick": "zp", "password": "wrong"}
    assert referee.refused(session, "register", **wrong)[0] == "wrong_password"
    assert referee.say(jpleal, "ping") == {}


def test_a_banned_player_leaves_every_game(referee: Referee) -> None:
    duel = pair(referee)
    other = pair(referee, kind="draughts", group=99)
    public = referee.say(duel.zp, "join", **TERMS)
    hidden = referee.say(duel.zp, "join", **TERMS, private=True)
    watcher = referee.connect()
    for reply in (public, hidden):
        assert referee.say(watcher, "update", game=reply["game"]) == {}
    kept = len(referee.rows)
    ban(referee, "zp")
    told = [*referee.updates(duel.jpleal), *referee.updates(other.jpleal)]
    ends = [(frame["game"], frame["winner"], frame["result"]["reason"]) for frame in told]
    assert ends == [(duel.game, "jpleal", "leave"), (other.game, "jpleal", "leave")]
    assert [frame["game"] for frame in referee.updates(watcher)] == [
        public["game"],
        hidden["game"],
    ]
    assert kinds(referee, kept) == ["Banned", *["MatchEvent", "MatchEnded"] * 2, *["WaitOver"] * 2]
    assert referee.service.games.list_games_of("zp") == []
    for reply in (public, hidden):
        assert referee.refused(watcher, "leave", token=reply["token"])[0] == "bad_token"
    assert referee.refused(watcher, "leave", token=duel.tokens[0])[0] == "game_over"
    guest = referee.connect()
    assert referee.refused(guest, "join", invite=hidden["invite"])[0] == "unknown_invite"


def test_a_ban_can_be_lifted(referee: Referee) -> None:
    referee.login("zp")
    ban(referee, "zp")
    ban(referee, "zp", "insults")
    session = referee.connect()
    me = {"nick": "zp", "password": "secret"}
    assert referee.refused(session, "register", **me)[1] == "zp is banned: insults"
    closed = len(referee.closed)
    assert ban(referee, "zp", None) == {"done": "zp is not banned any more"}
    assert len(referee.closed) == closed
    assert referee.say(session, "register", **me) == {}
    assert ban(referee, "zp", None) == {"done": "zp is not banned any more"}


def test_an_unregistered_nick_cannot_be_banned(referee: Referee) -> None:
    assert ban(referee, "nobody") == {"error": "nobody is not registered"}
    guest = referee.connect()
    name = referee.say(guest, "join", **TERMS)["nick"]
    assert ban(referee, name) == {"error": f"{name} is not registered"}
    assert ban(referee, "nobody", None) == {"error": "nobody is not registered"}


def test_a_request_is_executed_after_due_timeouts(referee: Referee) -> None:
    duel: Pair = pair(referee)
    referee.now = 120_000
    ban(referee, "jpleal")
    (last,) = referee.updates(duel.zp)
    assert (last["winner"], last["result"]["reason"]) == ("jpleal", "timeout")


def test_secrets_are_not_logged(referee: Referee) -> None:
    referee.login("zp")
    reset(referee, "zp", "another one")
    told: list[Any] = [log.fields for log in referee.logs if log.event == "admin"]
    assert told == [{"do": "reset-password", "done": "zp has a new password"}]


def test_a_request_of_a_newer_version_is_refused(referee: Referee) -> None:
    before, rows = referee.picture(), len(referee.rows)
    assert referee.order("dance") == {"error": "this server cannot dance"}
    assert (referee.picture(), len(referee.rows)) == (before, rows)


@pytest.mark.parametrize(
    "request_",
    [
        *(None, 7, [], {}, {"do": 1}, {"do": []}, {"do": "end"}, {"do": "end", "game": 1}),
        *({"do": "ban", "nick": "zp", "reason": 1}, {"do": "ban", "reason": "x"}),
        {"do": "reset-password", "nick": "zp", "salt": "x", "digest": "00"},
    ],
)
def test_a_malformed_request_changes_nothing(referee: Referee, request_: Any) -> None:
    referee.login("zp")
    before = referee.picture()
    response, effects = execute(referee.service, request_, referee.now)
    assert list(response) == ["error"]
    assert effects == []
    assert referee.picture() == before


# -- ban-addresses


def test_a_range_of_addresses_is_banned_until_the_ban_is_lifted(referee: Referee) -> None:
    def ban_addresses(range: str, reason: str | None = None) -> JSON:
        return referee.order("ban-addresses", range=range, reason=reason)

    kept = len(referee.rows)
    assert ban_addresses("192.0.2.0/24", "a flood") == {"done": "192.0.2.0/24 is banned"}
    assert ban_addresses("2001:db8::1", "bots") == {"done": "2001:db8::1/128 is banned"}
    assert kinds(referee, kept) == ["AddressBanned"] * 2
    assert referee.banned_closed == 2
    again = referee.revived()
    for one in (referee, again):
        find = one.service.banned_addresses.find_reason
        assert (find("192.0.2.7"), find("2001:db8::1"), find("192.0.3.1")) == (
            "a flood",
            "bots",
            None,
        )
    assert referee.order("list")["done"]["banned_addresses"] == [
        {"range": "192.0.2.0/24", "reason": "a flood"},
        {"range": "2001:db8::1/128", "reason": "bots"},
    ]
    assert "banned ranges: 192.0.2.0/24, 2001:db8::1/128" in ban_addresses("192.0.2.1")["error"]
    assert ban_addresses("192.0.2.0/24") == {"done": "192.0.2.0/24 is not banned any more"}
    assert referee.banned_closed == 2
    assert referee.service.banned_addresses.find_reason("192.0.2.7") is None
    assert list(referee.revived().service.banned_addresses.reasons.values()) == ["bots"]


def test_a_wrong_range_bans_nothing(referee: Referee) -> None:
    answer = referee.order("ban-addresses", range="192.0.2.7/24", reason="x")
    text = "192.0.2.7 is not the beginning of a range: did you mean 192.0.2.0/24?"
    assert answer == {"error": text}
    assert referee.service.banned_addresses.reasons == {}


# -- list


def test_list_returns_everything(referee: Referee) -> None:
    duel = pair(referee)
    referee.login("rui")
    ban(referee, "rui")
    hidden = referee.say(duel.zp, "join", **TERMS, private=True)["game"]
    referee.disconnect(duel.jpleal)
    referee.wait(10)
    referee.service.games.set_aside(SetAside("damaged", ("ann", "zp"), "event 3: no"))
    rows = len(referee.rows)
    listed = referee.order("list")["done"]
    assert len(referee.rows) == rows
    terms = {
        "kind": "tab",
        "options": {"size": 9},
        "group": 99,
        "strict": False,
        "clock": {"move": 120},
    }
    match = {"players": ["zp", "jpleal"], "turn": "zp", "seq": 1, "connected": ["zp"]}
    wait = {"players": ["zp"], "seats": 2, "private": True, "expires_s": 24 * 3600 - 10}
    assert listed == {
        "version": 1,
        "matches": [{"game": duel.game, **terms, **match}],
        "waits": [{"game": hidden, **terms, **wait}],
        "players": [
            {"nick": "jpleal", "connections": 0, "games": [duel.game], "banned": None},
            {"nick": "rui", "connections": 1, "games": [], "banned": "cheating"},
            {"nick": "zp", "connections": 1, "games": [duel.game, hidden], "banned": None},
        ],
        "banned_addresses": [],
        "set_aside": [{"game": "damaged", "players": ["ann", "zp"], "reason": "event 3: no"}],
    }


# -- announce-room


def test_a_room_is_announced(referee: Referee) -> None:
    assert referee.order("announce-room", room="fish:cup") == {
        "done": "players can join fish:cup now"
    }
    assert referee.rows[-1] == RoomOpened("fish:cup", None)
    assert referee.service.games.rooms.is_announced("fish:cup")


def test_a_room_with_a_game_is_not_announced(referee: Referee) -> None:
    referee.service.games.rooms.open("fish:cup", "a game")
    refused = referee.order("announce-room", room="fish:cup")
    assert refused["error"].startswith("fish:cup has a game already")
    assert not referee.service.games.rooms.is_announced("fish:cup")
