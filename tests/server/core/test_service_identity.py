"""The player of a command: login, credentials, tokens and guests."""

from __future__ import annotations

import pytest

from tabnet.protocol import messages as m
from tests.server.pure import Referee, pair

ZP = {"nick": "zp", "password": "secret"}
JPLEAL = {"nick": "jpleal", "password": "another"}
TERMS = {"group": 99, "size": 9}


@pytest.fixture
def referee() -> Referee:
    return Referee()


def test_register_logs_the_connection_in(referee: Referee) -> None:
    zp = referee.login("zp")
    assert referee.say(zp, "join", **TERMS)["nick"] == "zp"
    assert referee.say(zp, "register", **JPLEAL) == {}
    assert referee.say(zp, "join", group=98, size=9)["nick"] == "jpleal"


def test_a_refused_register_keeps_the_login(referee: Referee) -> None:
    referee.login("jpleal")
    zp = referee.login("zp")
    assert referee.refused(zp, "register", nick="jpleal", password="x")[0] == "wrong_password"
    assert referee.say(zp, "join", **TERMS)["nick"] == "zp"


def test_credentials_override_the_login_for_one_command(referee: Referee) -> None:
    referee.login("jpleal")
    zp = referee.login("zp")
    assert referee.say(zp, "join", **TERMS, **JPLEAL)["nick"] == "jpleal"
    assert referee.say(zp, "join", group=98, size=9)["nick"] == "zp"
    assert referee.say(zp, "leave", **JPLEAL) == {}
    assert referee.say(zp, "leave") == {}


def test_the_nick_of_the_login_needs_no_password(referee: Referee) -> None:
    zp = referee.login("zp")
    assert referee.say(zp, "join", nick="zp", **TERMS)["nick"] == "zp"
    assert referee.say(zp, "leave", nick="zp") == {}


def test_a_password_is_checked_against_its_nick(referee: Referee) -> None:
    zp = referee.login("zp")
    referee.login("jpleal")
    assert referee.refused(zp, "join", nick="jpleal", **TERMS) == (
        "undefined_field",
        "undefined password",
    )
    assert referee.refused(zp, "join", nick="zp", password="another", **TERMS)[0] == (
        "wrong_password"
    )


def test_a_password_without_its_proof_is_refused(referee: Referee) -> None:
    zp = referee.login("zp")
    effects = referee.service.handle(zp, m.Join(group=99, options={"size": 9}, **ZP), 0, None)
    assert effects[0].frame.code == "wrong_password"
    effects = referee.service.handle(zp, m.Register(nick="eve", password="x"), 0, None)
    assert effects[0].frame.code == "server_error"
    assert not referee.service.accounts.knows("eve")


# -- guests


def test_a_player_without_a_nick_is_a_guest(referee: Referee) -> None:
    first, second = referee.connect(), referee.connect()
    joined = referee.say(first, "join", **TERMS)
    nick = joined["nick"]
    assert nick.startswith("guest-")
    assert len(nick) > len("guest-")
    other = referee.say(second, "join", **TERMS)
    assert other["game"] == joined["game"]
    assert other["nick"] != nick
    assert list(referee.update(first)["players"]) == [nick, other["nick"]]
    assert referee.say(first, "roll") == {}
    # a guest stays the same one on its connection
    assert referee.say(first, "join", **TERMS)["nick"] == nick
    assert referee.say(first, "join", group=98, size=9, nick=nick)["nick"] == nick


def test_a_guest_cannot_be_registered_or_played_for(referee: Referee) -> None:
    guest = referee.say(referee.connect(), "join", **TERMS)["nick"]
    session = referee.connect()
    refused = referee.refused(session, "register", nick=guest, password="x")
    assert refused[0] == "reserved_nick"
    assert referee.refused(session, "register", nick="guest-", password="x")[0] == "reserved_nick"
    assert referee.refused(session, "leave", nick=guest, password="x")[0] == "not_registered"
    assert referee.refused(session, "leave", nick=guest)[0] == "undefined_field"


def test_a_match_with_a_guest_is_not_ranked(referee: Referee) -> None:
    zp, guest = referee.login("zp"), referee.connect()
    for _ in range(2):
        referee.say(zp, "join", **TERMS)
        referee.say(guest, "join", **TERMS)
        referee.received(zp)
        assert referee.say(guest, "leave") == {}
        assert referee.update(zp)["winner"] == "zp"
        assert referee.say(zp, "ranking", **TERMS) == {"ranking": []}
        referee.received(guest)
    referee.say(guest, "join", **TERMS)
    referee.say(zp, "join", **TERMS)
    assert referee.say(zp, "leave") == {}
    assert referee.say(zp, "ranking", **TERMS) == {"ranking": []}


def test_a_guest_who_registers_plays_the_old_seat_with_its_token(referee: Referee) -> None:
    session = referee.connect()
    joined = referee.say(session, "join", **TERMS)
    assert referee.say(session, "register", **ZP) == {}
    assert referee.refused(session, "leave")[0] == "which_game"
    assert referee.refused(session, "leave", game=joined["game"])[0] == "no_seat"
    assert referee.say(session, "leave", token=joined["token"]) == {}


# -- tokens


def test_the_token_stands_for_the_seat_on_any_connection(referee: Referee) -> None:
    duel = pair(referee)
    stranger = referee.connect()
    assert referee.say(stranger, "check", token=duel.tokens[0], command="roll") == {"ok": True}
    checked = referee.say(stranger, "check", token=duel.tokens[1], command="roll")
    assert checked["reason_code"] == "not_your_turn"
    assert referee.say(stranger, "roll", token=duel.tokens[0], game=duel.game) == {}
    assert referee.update(duel.zp)["event"] == {"type": "roll", "player": "zp"}
    assert referee.say(stranger, "leave", token=duel.tokens[1]) == {}
    assert referee.update(duel.zp)["winner"] == "zp"


def test_a_token_overrides_the_login(referee: Referee) -> None:
    duel = pair(referee)
    assert referee.say(duel.jpleal, "roll", token=duel.tokens[0]) == {}
    assert referee.update(duel.zp)["event"]["player"] == "zp"


def test_joining_again_gives_the_same_game_and_a_fresh_token(referee: Referee) -> None:
    zp = referee.login("zp")
    first = referee.say(zp, "join", **TERMS)
    second = referee.say(zp, "join", **TERMS)
    assert second["game"] == first["game"]
    assert second["token"] != first["token"]
    assert referee.refused(zp, "leave", token=first["token"])[0] == "bad_token"
    again = referee.login("zp")
    third = referee.say(again, "join", **TERMS)
    assert third["game"] == first["game"]
    assert referee.refused(zp, "leave", token=second["token"])[0] == "bad_token"
    jpleal = referee.login("jpleal")
    assert referee.say(jpleal, "join", **TERMS)["game"] == first["game"]
    assert referee.update(zp) == referee.update(again)
    assert referee.say(referee.connect(), "leave", token=third["token"]) == {}
    assert referee.update(zp)["winner"] == "jpleal"


def test_tokens_do_not_repeat_and_are_not_shown_to_others(referee: Referee) -> None:
    duel = pair(referee)
    assert len({*duel.tokens, duel.game}) == 3
    assert all(len(token) == 32 for token in duel.tokens)
    referee.say(duel.zp, "roll")
    shown = str([referee.received(duel.zp), referee.received(duel.jpleal), referee.logs])
    asked = str([referee.say(duel.zp, cmd, game=duel.game) for cmd in ("state", "moves")])
    listed = str(referee.say(duel.zp, "games"))
    assert not any(token in shown + asked + listed for token in duel.tokens)


def test_the_token_of_a_finished_game_permits_only_queries(referee: Referee) -> None:
    duel = pair(referee)
    duel.done("zp", "leave")
    stranger = referee.connect()
    assert referee.refused(stranger, "roll", token=duel.tokens[1])[0] == "game_over"
    checked = referee.say(stranger, "check", token=duel.tokens[1], command="roll")
    assert checked == {"ok": False, "reason": "the game is over", "reason_code": "game_over"}
