"""Queries about games, which change nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tabnet.server.core import queries
from tests.server.pure import Pair, Referee, fix_throws, pair, play_out

TERMS = {"group": 99, "size": 9}


@pytest.fixture
def duel(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Blue throws 3 first, Red 2."""
    fix_throws(monkeypatch, blue=(3, 3), red=(2,))
    return pair(referee)


# -- state


def test_state_as_text(duel: Pair) -> None:
    duel.done("zp", "roll")
    text = duel.say("jpleal", "state", text=True)["text"]
    assert text == str(duel.referee.match(duel.game).state)
    assert "Blue has thrown 3 (Telateh), cannot move, and must pass." in text
    assert "text" not in duel.say("jpleal", "state", text=False)


# -- moves


def test_moves_of_one_piece(duel: Pair) -> None:
    duel.referee.place(duel.game, "B25 B20 R31")
    duel.done("zp", "roll")
    fork = [{"cell": 25, "to": 10}, {"cell": 25, "to": 28}]
    step = [{"cell": 20, "to": 23}]
    both = duel.say("zp", "moves")
    assert both == {"moves": step + fork, "actions": ["notify"]}
    assert duel.say("zp", "moves", cell=25)["moves"] == fork
    assert duel.say("zp", "moves", cell=20)["moves"] == step
    assert duel.say("zp", "moves", cell=31)["moves"] == []
    assert duel.say("zp", "moves", cell=35)["moves"] == []
    # what a held piece cannot do cannot be done
    duel.done("zp", "notify", cell=25)
    assert duel.say("jpleal", "moves") == {"moves": fork, "actions": ["notify"]}
    assert duel.say("jpleal", "moves", cell=20)["moves"] == []
    duel.done("zp", "notify", cell=25)
    assert duel.say("zp", "moves") == both


@pytest.mark.parametrize("terms", [TERMS, {"kind": "draughts"}])
def test_notify_accepts_exactly_the_moves_of_moves(referee: Referee, terms: dict[str, Any]) -> None:
    luck = random.Random(5)
    duel = pair(referee, **terms)
    for _ in range(150):
        choices = duel.say("zp", "moves")
        if not choices["actions"]:
            break
        turn = duel.say("zp", "state")["update"]["turn"]
        for cmd in ("roll", "pass"):
            assert duel.say(turn, "check", command=cmd)["ok"] == (cmd in choices["actions"])
        for move in choices["moves"]:
            assert duel.say(turn, "check", command="notify", **move) == {"ok": True}
        for move in ({"cell": luck.randrange(36), "to": luck.randrange(36)}, {"route": ["c3"]}):
            ok = duel.say(turn, "check", command="notify", **move)["ok"]
            assert ok == (move in choices["moves"])
        action = luck.choice(choices["actions"])
        fields = luck.choice(choices["moves"]) if action == "notify" else {}
        assert duel.say(turn, action, **fields) == {}


# -- check


def test_check_plays_nothing(duel: Pair) -> None:
    referee = duel.referee
    referee.place(duel.game, "B25 B20 R31")
    before = referee.picture()
    for _ in range(3):
        assert duel.say("zp", "check", command="roll") == {"ok": True}
    assert referee.picture() == before
    assert duel.done("zp", "roll")["dice"]["value"] == 3
    before = referee.picture()
    for cell in (25, 20):
        assert duel.say("zp", "check", command="notify", cell=cell) == {"ok": True}
    assert referee.picture() == before
    duel.done("zp", "notify", cell=25)
    before = referee.picture()
    for cell in (25, 10, 28):
        assert duel.say("zp", "check", command="notify", cell=cell) == {"ok": True}
    assert referee.picture() == before


def test_check_gives_the_reason_with_its_code_and_its_hint(duel: Pair) -> None:
    duel.referee.place(duel.game, "B25 B20 R31")
    assert duel.say("zp", "check", command="pass") == {
        "ok": False,
        "reason": "You must roll the dice first",
        "reason_code": "must_roll",
    }
    duel.done("zp", "roll")
    refused = duel.say("zp", "check", command="notify", cell=25, to=11)
    assert refused["reason_code"] == "wrong_distance"
    assert refused["reason_hint"] == "25 goes to 10 or 28"


@pytest.mark.parametrize("command", ["leave", "join", "check", "fly", ""])
def test_other_commands_cannot_be_checked(duel: Pair, command: str) -> None:
    refused = duel.refused("zp", "check", command=command)
    assert refused == ("bad_value", f"'{command}' cannot be checked")


@pytest.mark.parametrize("command", ["roll", "pass"])
@pytest.mark.parametrize("fields", [{"cell": 8}, {"to": 9}, {"route": ["c3"]}])
def test_only_a_notify_has_fields(duel: Pair, command: str, fields: dict[str, Any]) -> None:
    (name,) = fields
    refused = duel.refused("zp", "check", command=command, **fields)
    assert refused == ("unknown_field", f"{command} has no field {name}")


def test_check_needs_a_command(duel: Pair) -> None:
    assert duel.refused("zp", "check") == ("undefined_field", "undefined command")


# -- games


def test_games_are_listed_newest_first(referee: Referee) -> None:
    assert referee.say(referee.connect(), "games") == {"games": [], "waiting": []}
    duels = [pair(referee, **TERMS), pair(referee, kind="draughts"), pair(referee, **TERMS)]
    duels[0].done("zp", "roll")
    watcher = referee.connect()
    listed = referee.say(watcher, "games")
    assert [game["game"] for game in listed["games"]] == [duel.game for duel in duels[::-1]]
    assert listed["games"][2] == {
        "game": duels[0].game,
        "kind": "tab",
        "options": {"size": 9},
        "group": 99,
        "players": {"zp": "Blue", "jpleal": "Red"},
        "turn": "zp",
        "seq": 2,
    }
    assert listed["games"][1] == {
        "game": duels[1].game,
        "kind": "draughts",
        "options": {},
        "players": {"zp": "White", "jpleal": "Black"},
        "turn": "zp",
        "seq": 1,
    }
    for kind, count in (("tab", 2), ("draughts", 1)):
        games = referee.say(watcher, "games", kind=kind)["games"]
        assert [game["kind"] for game in games] == [kind] * count
    duels[2].done("zp", "leave")
    games = referee.say(watcher, "games")["games"]
    assert [game["game"] for game in games] == [duels[1].game, duels[0].game]


def test_waits_are_listed_as_the_join_that_would_be_paired(referee: Referee) -> None:
    zp = referee.login("zp")
    wishes: list[dict[str, Any]] = [
        {"group": 99, "size": 9},
        {"group": 98, "size": 7, "clock": {"total": 60, "increment": 1.5}},
        {"kind": "draughts"},
    ]
    joined = [referee.say(zp, "join", **wish)["game"] for wish in wishes]
    jpleal = referee.login("jpleal")
    waiting = referee.say(jpleal, "games")["waiting"]
    assert waiting == [
        {"kind": "draughts", "options": {}, "clock": {"total": 600}, "strict": False, "players": 1},
        {
            "kind": "tab",
            "options": {"size": 7},
            "group": 98,
            "clock": {"total": 60, "increment": 1.5},
            "strict": False,
            "players": 1,
        },
        {
            "kind": "tab",
            "options": {"size": 9},
            "group": 99,
            "clock": {"move": 120},
            "strict": False,
            "players": 1,
        },
    ]
    assert len(referee.say(jpleal, "games", kind="tab")["waiting"]) == 2
    for wait, game in zip(waiting, joined[::-1], strict=True):
        fields = {name: wait[name] for name in ("kind", "clock", "group") if name in wait}
        assert referee.say(jpleal, "join", **fields, **wait["options"])["game"] == game


def test_games_of_an_unknown_kind_are_refused(referee: Referee) -> None:
    refused = referee.refused(referee.connect(), "games", kind="chess")
    assert refused == ("unknown_kind", "unknown kind 'chess'")


def test_a_list_of_games_is_limited(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MAX_LISTED", 2)
    duels = [pair(referee, **TERMS) for _ in range(3)]
    zp = referee.login("rui")
    for group in (1, 2, 3):
        referee.say(zp, "join", group=group, size=9)
    listed = referee.say(zp, "games")
    assert [game["game"] for game in listed["games"]] == [duels[2].game, duels[1].game]
    assert [wait["group"] for wait in listed["waiting"]] == [3, 2]


def test_queries_change_nothing(referee: Referee) -> None:
    duel = pair(referee)
    play_out(duel, random.Random(2), most=3000)
    running = pair(referee)
    before = referee.picture()
    asker = referee.connect()
    asked: list[tuple[str, dict[str, Any]]] = [
        *(("state", {"game": game, "text": True}) for game in (duel.game, running.game)),
        *(("moves", {"game": game}) for game in (duel.game, running.game)),
        *(("games", {}), ("ranking", TERMS), ("help", {}), ("schema", {}), ("ping", {})),
    ]
    once = [referee.say(asker, cmd, **fields) for cmd, fields in asked]
    assert [referee.say(asker, cmd, **fields) for cmd, fields in asked] == once
    referee.disconnect(asker)
    assert referee.picture() == before
