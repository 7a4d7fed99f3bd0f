"""Strict games: a player who makes an illegal move loses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.pure import Pair, Referee, fix_throws, pair

TERMS = {"group": 99, "size": 9}
STRICT = {**TERMS, "strict": True}
SALT_HASH = "11c5377647986b5b462aa768bd454c771687bf45bafd805848177486143e1387"
"""Of 00112233445566778899aabbccddeeff."""


@pytest.fixture
def referee() -> Referee:
    return Referee()


@pytest.fixture
def duel(referee: Referee) -> Pair:
    return pair(referee, **STRICT)


def lost(duel: Pair, nick: str, cmd: str, /, **fields: Any) -> tuple[str, str]:
    """Play what loses the game; gives back the code and the text of the refusal."""
    winner = "jpleal" if nick == "zp" else "zp"
    reply = duel.say(nick, cmd, **fields)
    last = duel.referee.updates(duel.zp)[-1]
    assert duel.referee.updates(duel.jpleal)[-1] == last
    assert last["event"] == {"type": "illegal", "player": nick, "code": reply["code"]}
    assert (last["winner"], last["turn"], last["expects"]) == (winner, None, None)
    points = {winner: 1, nick: 0}
    assert last["result"] == {"winners": [winner], "points": points, "reason": "illegal_move"}
    assert duel.refused(winner, "roll")[0] == "game_over"
    return reply["code"], reply["error"]


def test_an_illegal_action_loses_at_once(duel: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(1,))
    duel.done("zp", "roll")
    refusal = lost(duel, "zp", "notify", cell=0)
    assert refusal == ("own_piece", "cannot capture to your own piece")
    ranking = duel.referee.say(duel.zp, "ranking", **TERMS)["ranking"]
    assert [(line["nick"], line["victories"]) for line in ranking] == [("jpleal", 1), ("zp", 0)]
    assert [log.fields["reason"] for log in duel.referee.logs if log.event == "end"] == [
        "illegal_move"
    ]


@pytest.mark.parametrize(
    ("cmd", "fields", "code"),
    [
        ("pass", {}, "must_move"),
        ("roll", {}, "must_move"),
        ("notify", {"cell": 20}, "no_piece"),
        ("notify", {"cell": 8, "to": 11}, "wrong_distance"),
        ("notify", {"cell": 36}, "invalid_move"),
        ("notify", {"route": ["a1", "b2"]}, "invalid_move"),
        ("notify", {}, "invalid_move"),
    ],
)
def test_every_refusal_of_the_rules_loses(
    duel: Pair, monkeypatch: pytest.MonkeyPatch, cmd: str, fields: dict[str, Any], code: str
) -> None:
    fix_throws(monkeypatch, blue=(1,))
    duel.done("zp", "roll")
    assert lost(duel, "zp", cmd, **fields)[0] == code


@pytest.mark.parametrize(("cmd", "code"), [("roll", "no_roll"), ("pass", "no_pass")])
def test_a_strict_game_punishes_commands_unknown_to_its_kind(
    referee: Referee, cmd: str, code: str
) -> None:
    duel = pair(referee, kind="draughts", strict=True)
    assert lost(duel, "zp", cmd)[0] == code


def test_either_player_may_lose_by_it(referee: Referee) -> None:
    duel = pair(referee, kind="draughts", strict=True)
    duel.done("zp", "notify", route=["c3", "d4"])
    assert lost(duel, "jpleal", "notify", route=["a1", "b2"])[0] == "no_piece"


def test_the_second_step_of_a_move(duel: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(3,))
    duel.referee.place(duel.game, "B25 R31")
    duel.done("zp", "roll")
    duel.done("zp", "notify", cell=25)
    assert lost(duel, "zp", "notify", cell=24)[0] == "wrong_distance"


def test_only_the_refusal_precedes_the_update(duel: Pair) -> None:
    reply = duel.say("zp", "pass")
    assert set(reply) == {"error", "code"}
    (update,) = duel.referee.received(duel.zp)
    assert update["seq"] == 2
    assert update["result"]["reason"] == "illegal_move"
    (row,) = [row for row in duel.referee.store.histories[duel.game] if row.event != "start"]
    assert (row.event, row.seat, row.detail) == ("illegal", 0, "must_roll")


def test_a_move_out_of_turn_costs_nothing(duel: Pair) -> None:
    for cmd, fields, code in (
        ("roll", {}, "not_your_turn"),
        ("pass", {}, "not_your_turn"),
        ("notify", {"cell": 0}, "not_your_turn"),
        ("notify", {"cell": 99}, "invalid_move"),
        ("notify", {"route": ["a1"]}, "invalid_move"),
    ):
        assert duel.refused("jpleal", cmd, **fields)[0] == code
    assert duel.done("zp", "roll")["event"]["type"] == "roll"


def test_an_invalid_command_costs_nothing(duel: Pair) -> None:
    for fields, code in (
        ({"cell": "8"}, "wrong_type"),
        ({"cell": -1}, "bad_value"),
        ({"cell": 8, "x": 1}, "unknown_field"),
        ({"cell": 8, "to": None}, "wrong_type"),
    ):
        assert duel.refused("zp", "notify", **fields)[0] == code
    for line in (b"notify", b'{"cmd":"notfy","cell":8}', b'{"cmd":"roll","cmd":"roll"}'):
        assert "code" in duel.referee.send(duel.zp, line)
    assert duel.refused("zp", "salt", salt="00" * 16)[0] == "no_salt"
    assert duel.refused("zp", "draw", offer=False)[0] == "no_offer"
    assert duel.refused("zp", "notify", token=duel.tokens[0], nick="zp", cell=0)[0] == "bad_value"
    assert duel.done("zp", "roll")["event"]["type"] == "roll"


def test_a_check_costs_nothing(duel: Pair) -> None:
    for command in ("pass", "notify"):
        fields = {"cell": 0} if command == "notify" else {}
        answer = duel.say("zp", "check", command=command, **fields)
        assert (answer["ok"], answer["reason_code"]) == (False, "must_roll")
    assert duel.done("zp", "roll")["event"]["type"] == "roll"


def test_a_move_before_the_salts_costs_nothing(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    game = referee.say(zp, "join", **STRICT, salt_hash=SALT_HASH)["game"]
    referee.say(jpleal, "join", **STRICT)
    for session in (zp, jpleal):
        for cmd, fields in (("roll", {}), ("pass", {}), ("notify", {"cell": 0})):
            assert referee.refused(session, cmd, **fields)[0] == "salts_due"
        assert referee.refused(session, "notify", cell=36)[0] == "salts_due"
    assert referee.refused(zp, "salt", salt="00" * 16)[0] == "wrong_salt"
    assert referee.match(game).seq == 1
    assert referee.say(zp, "salt", salt="00112233445566778899aabbccddeeff") == {}
    assert referee.say(zp, "pass")["code"] == "must_roll"
    assert referee.updates(zp)[-1]["result"]["reason"] == "illegal_move"


def test_a_game_that_is_not_strict_refuses_without_losing(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(1,))
    duel = pair(referee)
    assert duel.refused("zp", "pass")[0] == "must_roll"
    assert duel.done("zp", "roll")["strict"] is False
    for fields in ({"cell": 0}, {"cell": 36}):
        duel.refused("zp", "notify", **fields)
    assert duel.done("zp", "notify", cell=8)["seq"] == 3


def test_strict_is_part_of_the_terms_and_updates(referee: Referee) -> None:
    zp, jpleal, rui = (referee.login(nick) for nick in ("zp", "jpleal", "rui"))
    first = referee.say(zp, "join", **STRICT)["game"]
    assert referee.say(zp, "games")["waiting"][0]["strict"] is True
    second = referee.say(jpleal, "join", **TERMS, strict=False)["game"]
    assert first != second
    assert referee.say(rui, "join", **STRICT)["game"] == first
    assert referee.updates(zp)[0]["strict"] is True
    assert referee.say(zp, "join", **TERMS)["game"] == second
    assert referee.updates(jpleal)[0]["strict"] is False


def test_an_illegal_move_after_the_timeout_loses_by_the_timeout(duel: Pair) -> None:
    duel.referee.now = 120_000
    assert duel.say("zp", "pass")["code"] == "game_over"
    assert duel.referee.update(duel.jpleal)["result"]["reason"] == "timeout"
