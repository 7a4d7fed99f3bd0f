"""Queries about games, which change nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tabnet.server.core import queries
from tests.server.pure import Pair, Referee, fix_throws, pair, play_out

TERMS = {"group": 99, "size": 9}


@pytest.fixture
def referee() -> Referee:
    return Referee()


@pytest.fixture
def duel(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Blue throws 3 first, Red 2."""
    fix_throws(monkeypatch, blue=(3, 3), red=(2,))
    return pair(referee)


# -- state


def test_state_of_a_wait(referee: Referee) -> None:
    zp = referee.login("zp")
    game = referee.say(zp, "join", **TERMS)["game"]
    waiting = {"game": game, "status": "waiting", "online": {"zp": True}}
    assert referee.say(zp, "state") == waiting
    assert referee.say(referee.connect(), "state", game=game, text=True) == waiting


def test_state_of_a_running_game(duel: Pair) -> None:
    referee = duel.referee
    update = duel.done("zp", "roll")
    referee.wait(12.345)
    state = referee.say(referee.connect(), "state", game=duel.game)
    assert state == {
        "game": duel.game,
        "status": "playing",
        "update": update,
        "clock": {"zp": 107.655, "jpleal": 120},
        "online": {"zp": True, "jpleal": True},
    }
    assert state["update"]["clock"] == {"zp": 120, "jpleal": 120}


def test_state_as_text(duel: Pair) -> None:
    duel.done("zp", "roll")
    text = duel.say("jpleal", "state", text=True)["text"]
    assert text == str(duel.referee.match(duel.game).state)
    assert "Blue has thrown 3 (Telateh), cannot move, and must pass." in text
    assert "text" not in duel.say("jpleal", "state", text=False)


def test_state_of_a_finished_game(duel: Pair) -> None:
    referee = duel.referee
    referee.wait(20)
    last = duel.done("zp", "leave")
    referee.wait(50)
    assert duel.say("zp", "state") == {
        "game": duel.game,
        "status": "ended",
        "update": last,
        "clock": {"zp": 100, "jpleal": 120},
    }


# -- moves


def test_moves_before_a_throw_and_without_a_move(duel: Pair) -> None:
    assert duel.say("zp", "moves") == {"moves": [], "actions": ["roll"]}
    duel.done("zp", "roll")
    assert duel.say("jpleal", "moves") == {"moves": [], "actions": ["pass"]}
    duel.done("zp", "pass")
    assert duel.say("zp", "moves") == {"moves": [], "actions": ["roll"]}


def test_moves_of_one_player(duel: Pair) -> None:
    assert duel.say("jpleal", "moves", player="zp")["actions"] == ["roll"]
    assert duel.say("zp", "moves", player="jpleal") == {"moves": [], "actions": []}


def test_moves_of_a_spectator_are_refused(duel: Pair) -> None:
    assert duel.refused("zp", "moves", player="someone")[0] == "no_seat"


def test_moves_of_anybodys_penguins(referee: Referee) -> None:
    """Whosever turn it is, of a player or from a place."""
    duel = pair(referee, kind="fish", board=[[1, 2, 3], [4, 5, 1], [2, 3, 4], [5, 1, 2]])
    places = [{"row": row, "col": col} for row in range(4) for col in range(3)]
    placed: dict[str, list[dict[str, int]]] = {"zp": [], "jpleal": []}
    for _ in range(4):
        for nick in ("zp", "jpleal"):
            for player in (player for player, own in placed.items() if len(own) < 4):
                told = duel.say("jpleal", "moves", player=player)
                assert told["moves"] == [{"place": place} for place in places]
                assert told["actions"] == (["notify"] if player == nick else [])
            duel.done(nick, "notify", place=places[0])
            placed[nick] += [places.pop(0)]
    of_red, of_white = (duel.say("zp", "moves", player=nick)["moves"] for nick in placed)
    assert of_red == duel.say("zp", "moves")["moves"]
    for own, moves in zip(placed.values(), (of_red, of_white), strict=True):
        assert moves
        assert all(move["from"] in own for move in moves)
        for place in own:
            told = duel.say("zp", "moves", **{"from": place})
            assert told["moves"] == [move for move in moves if move["from"] == place]
    duel.done("jpleal", "leave")
    assert duel.say("zp", "moves", player="jpleal") == {"moves": [], "actions": []}


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


def test_moves_along_a_route(referee: Referee) -> None:
    duel = pair(referee, kind="draughts")
    everything = duel.say("zp", "moves")
    assert len(everything["moves"]) == 7
    assert everything["actions"] == ["notify"]
    from_c3 = duel.say("zp", "moves", route=["c3"])["moves"]
    assert sorted(move["route"] for move in from_c3) == [["c3", "b4"], ["c3", "d4"]]
    assert duel.say("zp", "moves", route=["c3", "d4"])["moves"] == [{"route": ["c3", "d4"]}]
    assert duel.say("zp", "moves", route=["c3", "d4", "e5"])["moves"] == []
    assert duel.say("zp", "moves", route=["b8"])["moves"] == []
    assert duel.say("zp", "moves", route=[])["moves"] == everything["moves"]


def test_moves_of_a_finished_game(duel: Pair) -> None:
    duel.done("zp", "leave")
    assert duel.say("zp", "moves") == {"moves": [], "actions": []}


def test_moves_of_a_wait(referee: Referee) -> None:
    zp = referee.login("zp")
    referee.say(zp, "join", **TERMS)
    assert referee.refused(zp, "moves")[0] == "waiting"


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


def test_check_accepts_a_move_or_gives_the_reason(duel: Pair) -> None:
    assert duel.say("zp", "check", command="roll") == {"ok": True}
    assert duel.say("zp", "check", command="pass") == {
        "ok": False,
        "reason": "You must roll the dice first",
        "reason_code": "must_roll",
    }
    assert duel.say("jpleal", "check", command="roll") == {
        "ok": False,
        "reason": "Not your turn to play",
        "reason_code": "not_your_turn",
    }
    duel.done("zp", "roll")
    assert duel.say("zp", "check", command="pass") == {"ok": True}
    checked = duel.say("zp", "check", command="notify", cell=8)
    assert (checked["ok"], checked["reason_code"]) == (False, "must_pass")
    checked = duel.say("zp", "check", command="notify", cell=99)
    assert checked == {
        "ok": False,
        "reason": "cell is not on the board",
        "reason_code": "invalid_move",
    }


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


def test_check_of_a_wait_and_of_a_finished_game(referee: Referee) -> None:
    zp = referee.login("zp")
    referee.say(zp, "join", **TERMS)
    assert referee.say(zp, "check", command="roll")["reason_code"] == "waiting"
    duel = pair(referee, group=98, size=9)
    duel.done("zp", "leave")
    assert duel.say("zp", "check", command="roll")["reason_code"] == "game_over"


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
