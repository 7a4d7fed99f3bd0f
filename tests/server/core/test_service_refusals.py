"""Refusals that the dialogues do not show: their texts, fields and hints, and what they save."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tabnet.protocol import messages as m
from tabnet.server.core.costs.limits import Limits
from tests.server.pure import Pair, Referee, fix_throws, pair

ZP = {"nick": "zp", "password": "secret"}
TERMS = {"group": 99, "size": 9}


@pytest.fixture
def duel(referee: Referee) -> Pair:
    return pair(referee)


# -- joining


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"size": 9}, ("undefined_field", "undefined group")),
        ({"group": 99}, ("undefined_field", "undefined size")),
        ({"group": 99, "size": 8}, ("invalid_option", "invalid size '8'")),
        ({"group": 99, "size": -9}, ("invalid_option", "invalid size '-9'")),
        ({"group": 99, "size": 9.0}, ("wrong_type", "invalid size '9.0'")),
        ({"group": 99, "size": True}, ("wrong_type", "invalid size 'true'")),
        ({"group": 0, "size": 9}, ("bad_value", "invalid group '0'")),
        ({"group": "2 of us", "size": 9}, ("wrong_type", "invalid group '2 of us'")),
        ({"kind": "chess"}, ("unknown_kind", "unknown kind 'chess'")),
        ({"kind": "draughts", "size": 9}, ("unknown_option", "draughts has no option 'size'")),
        ({**TERMS, "salt_hash": "0" * 63}, ("bad_value", "salt_hash is shorter than 64")),
    ],
)
@pytest.mark.parametrize("private", [{}, {"private": True}])
def test_invalid_terms_are_refused(
    referee: Referee, fields: dict[str, Any], refusal: tuple[str, str], private: dict[str, bool]
) -> None:
    assert referee.refused(referee.connect(), "join", **fields, **private) == refusal


def test_the_number_of_games_of_a_nick_is_limited(referee: Referee) -> None:
    referee.service.quotas.limits = Limits(games_per_nick=2)
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    games = [referee.say(zp, "join", group=group, size=9)["game"] for group in (1, 2)]
    hidden = referee.say(jpleal, "join", **TERMS, private=True)
    too_many = ("too_many_games", "zp already has 2 games, the maximum")
    for fields in (TERMS, {"group": 1, "size": 9, "private": True}, {"invite": hidden["invite"]}):
        assert referee.refused(zp, "join", **fields) == too_many
    assert not referee.closed
    # to ask again for a game is not to ask for one more
    assert referee.say(zp, "join", group=1, size=9)["game"] == games[0]
    assert referee.say(zp, "leave", game=games[1]) == {}
    assert referee.say(zp, "join", invite=hidden["invite"])["game"] == hidden["game"]


def test_a_refused_invite_names_the_field(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    invite = referee.say(zp, "join", **TERMS, private=True, seat=1)["invite"]
    reply = referee.say(zp, "join", invite=invite)
    assert (reply["code"], reply["field"], reply["hint"]) == ("own_invite", "invite", "send it on")
    for field, fields in (
        ("invite", {"invite": invite.upper() + "0"}),
        ("seat", {"invite": invite, "seat": 1}),
        ("strict", {"invite": invite, "strict": False}),
    ):
        assert referee.say(jpleal, "join", **fields)["field"] == field


def test_a_password_without_its_proof_is_refused(referee: Referee) -> None:
    zp = referee.login("zp")
    effects = referee.service.handle(zp, m.Join(group=99, options={"size": 9}, **ZP), 0, None)
    assert effects[0].frame.code == "wrong_password"
    effects = referee.service.handle(zp, m.Register(nick="eve", password="x"), 0, None)
    assert effects[0].frame.code == "server_error"
    assert not referee.service.accounts.knows("eve")


def test_a_guest_cannot_be_registered_or_played_for(referee: Referee) -> None:
    guest = referee.say(referee.connect(), "join", **TERMS)["nick"]
    session = referee.connect()
    refused = referee.refused(session, "register", nick=guest, password="x")
    assert refused[0] == "reserved_nick"
    assert referee.refused(session, "leave", nick=guest, password="x")[0] == "not_registered"
    assert referee.refused(session, "leave", nick=guest)[0] == "undefined_field"


# -- which game


@pytest.mark.parametrize(
    ("cmd", "fields"),
    [
        ("roll", {}),
        ("notify", {"cell": 8}),
        ("leave", {}),
        ("check", {"command": "roll"}),
        ("update", {}),
        ("state", {}),
        ("moves", {}),
    ],
)
def test_game_is_required_with_several_seats(
    referee: Referee, cmd: str, fields: dict[str, Any]
) -> None:
    zp = referee.login("zp")
    assert referee.refused(zp, cmd, **fields) == ("which_game", "which game?")
    assert referee.say(zp, cmd, **fields)["hint"] == "you have no seat in any game"
    games = [referee.say(zp, "join", group=group, size=9)["game"] for group in (1, 2)]
    assert referee.refused(zp, cmd, **fields) == ("which_game", "which game?")
    reply = referee.say(zp, cmd, **fields)
    assert reply["field"] == "game"
    assert reply["hint"] == f"you have seats in {', '.join(games)}"


# -- salts and draws


@pytest.mark.parametrize("salt", [bytes(range(200, 216)), bytes(64)])
def test_hex_may_be_written_in_capitals(referee: Referee, salt: bytes) -> None:
    hashed = hashlib.sha256(b"tabnet-salt-1" + salt).hexdigest()
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    referee.say(zp, "join", **TERMS, salt_hash=hashed.upper())
    referee.say(jpleal, "join", **TERMS)
    assert referee.updates(zp)[0]["dice_salt_hashes"]["zp"] == hashed
    for wrong in ("0" * 31, "0" * 33, "0" * 129, "0x" + "0" * 32, "00 " * 12, "٠" * 32):
        assert referee.refused(zp, "salt", salt=wrong)[0] == "bad_value"
    assert referee.say(zp, "salt", salt=salt.hex().upper()) == {}
    assert referee.updates(zp)[-1]["event"]["salt"] == salt.hex()


def test_refused_offers_name_the_field(duel: Pair) -> None:
    assert duel.say("zp", "draw", offer=False)["field"] == "offer"
    duel.done("zp", "draw", offer=True)
    assert duel.say("zp", "draw", offer=True)["field"] == "offer"
    assert duel.refused("zp", "draw")[0] == "undefined_field"
    assert duel.refused("zp", "draw", offer=1)[0] == "wrong_type"


# -- a selected piece


@pytest.fixture
def selected(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Blue has thrown 3 and selected the piece on 25."""
    fix_throws(monkeypatch, blue=(3,))
    duel = pair(referee)
    referee.place(duel.game, "B25 B20 R31")
    duel.done("zp", "roll")
    duel.done("zp", "notify", cell=25)
    return duel


def test_commands_are_refused_while_a_piece_is_selected(selected: Pair) -> None:
    for fields in ({"cell": 20}, *({"cell": cell, "to": cell} for cell in (20, 25, 28))):
        assert selected.refused("zp", "notify", **fields)[0] == "wrong_distance"
    assert selected.refused("zp", "roll")[0] == "must_move"
    assert selected.refused("zp", "pass")[0] == "must_move"
    assert selected.refused("jpleal", "notify", cell=28)[0] == "not_your_turn"
    assert selected.done("zp", "notify", cell=28)["selected"] == [25, 28]


def test_a_selected_piece_can_be_moved_by_a_whole_move(selected: Pair) -> None:
    assert selected.done("zp", "notify", cell=25, to=10)["selected"] == [25, 10]


def test_a_selected_piece_stays_selected_until_a_draw(selected: Pair) -> None:
    held = selected.say("zp", "state")["update"]
    offered = selected.done("zp", "draw", offer=True)
    for name in ("step", "cell", "selected", "dice", "expects", "turn"):
        assert offered[name] == held[name]
    agreed = selected.done("jpleal", "draw", offer=True)
    assert agreed["step"] == "from"
    assert "cell" not in agreed


# -- strict games and invalid lines


def test_only_the_refusal_precedes_the_update_of_an_illegal_action(referee: Referee) -> None:
    duel = pair(referee, **TERMS, strict=True)
    reply = duel.say("zp", "pass")
    assert set(reply) == {"error", "code"}
    (update,) = referee.received(duel.zp)
    assert (update["seq"], update["result"]["reason"]) == (2, "illegal_move")
    assert update["event"] == {"type": "illegal", "player": "zp", "code": "must_roll"}
    (row,) = [row for row in referee.store.histories[duel.game] if row.event != "start"]
    assert (row.event, row.seat, row.detail) == ("illegal", 0, "must_roll")
    (log,) = [log for log in referee.logs if log.event == "end"]
    assert log.fields["reason"] == "illegal_move"


@pytest.mark.parametrize("strict", [True, False])
def test_invalid_commands_and_lines_cost_nothing(referee: Referee, strict: bool) -> None:
    duel = pair(referee, **TERMS, strict=strict)
    for fields, code in (
        ({"cell": "8"}, "wrong_type"),
        ({"cell": -1}, "bad_value"),
        ({"cell": 8, "x": 1}, "unknown_field"),
        ({"cell": 8, "to": None}, "wrong_type"),
    ):
        assert duel.refused("zp", "notify", **fields)[0] == code
    before = referee.picture()
    for line in (b"", b"roll", b"[]", b'{"cmd":"notfy"}', b'{"cmd":"roll","cmd":"roll"}'):
        assert "code" in referee.send(duel.zp, line)
    assert referee.picture() == before
    assert duel.done("zp", "roll")["event"]["type"] == "roll"
