"""Clocks, waits that end, and what the server plays by itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.pure import Pair, Referee, fix_throws, pair

TERMS = {"group": 99, "size": 9}


@pytest.fixture
def referee() -> Referee:
    return Referee()


# -- waits


def test_a_wait_ends_after_two_minutes(referee: Referee) -> None:
    referee.now = 5000
    zp = referee.login("zp")
    joined = referee.say(zp, "join", **TERMS)
    watcher = referee.connect()
    assert referee.say(watcher, "update", game=joined["game"]) == {}
    assert referee.service.deadline() == 125_000
    referee.now = 124_999
    referee.tick()
    assert referee.received(zp) == []
    assert referee.say(zp, "state")["status"] == "waiting"
    referee.now = 125_000
    referee.tick()
    over = {"type": "update", "game": joined["game"], "seq": 1, "winner": None}
    assert referee.received(zp) == referee.received(watcher) == [over]
    assert referee.service.deadline() is None
    # nothing of it is left: no seat, no token, no game
    assert referee.refused(zp, "leave")[0] == "which_game"
    assert referee.refused(zp, "leave", token=joined["token"])[0] == "bad_token"
    assert referee.refused(zp, "update", game=joined["game"])[0] == "unknown_game"
    assert referee.say(zp, "games") == {"games": [], "waiting": []}
    assert referee.say(zp, "join", **TERMS)["game"] != joined["game"]


def test_a_wait_that_is_over_is_not_paired(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    first = referee.say(zp, "join", **TERMS)
    referee.now = 120_000
    second = referee.say(jpleal, "join", **TERMS)  # before any tick
    assert second["game"] != first["game"]
    assert referee.update(zp)["winner"] is None
    assert referee.received(jpleal) == []


def test_joining_again_does_not_wait_longer(referee: Referee) -> None:
    zp = referee.login("zp")
    referee.say(zp, "join", **TERMS)
    referee.wait(100)
    referee.say(zp, "join", **TERMS)
    referee.wait(20)
    assert referee.update(zp)["winner"] is None


def test_the_oldest_wait_ends_first(referee: Referee) -> None:
    zp = referee.login("zp")
    games = []
    for group in (1, 2, 3):
        games.append(referee.say(zp, "join", group=group, size=9)["game"])
        referee.wait(10)
    assert referee.service.deadline() == 120_000
    assert referee.say(zp, "leave", game=games[0]) == {}
    assert referee.service.deadline() == 130_000
    referee.received(zp)
    referee.wait(200)
    assert [update["game"] for update in referee.updates(zp)] == games[1:]


# -- the flag


def timeout(update: dict[str, Any]) -> tuple[str, str, str]:
    assert update["event"]["type"] == "timeout"
    return update["event"]["player"], update["winner"], update["result"]["reason"]


def test_a_move_has_two_minutes(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(2,), red=(2,))
    duel = pair(referee)
    assert referee.service.deadline() == 120_000
    referee.wait(119)
    duel.done("zp", "roll")
    assert referee.service.deadline() <= 239_000
    referee.wait(119)
    duel.done("zp", "pass")
    referee.wait(119.999)
    assert referee.received(duel.zp) == []
    referee.wait(0.001)
    last = referee.update(duel.zp)
    assert referee.update(duel.jpleal) == last
    assert timeout(last) == ("jpleal", "zp", "timeout")
    assert last["clock"] == {"zp": 120, "jpleal": 0}
    ranking = referee.say(duel.zp, "ranking", **TERMS)["ranking"]
    assert ranking[0] == {"nick": "zp", "victories": 1, "games": 1}
    assert [log.fields for log in referee.logs if log.event == "end"] == [
        {"game": duel.game, "winners": ["zp"], "reason": "timeout", "seq": 4}
    ]
    assert referee.service.deadline() is None


@pytest.mark.parametrize("cmd", ["roll", "leave"])
@pytest.mark.parametrize("nick", ["zp", "jpleal"])
def test_a_command_at_the_deadline_comes_too_late(referee: Referee, nick: str, cmd: str) -> None:
    duel = pair(referee)
    referee.now = 120_000  # nobody has ticked
    assert duel.say(nick, cmd)["code"] == "game_over"
    assert timeout(referee.update(duel.zp)) == ("zp", "jpleal", "timeout")


def test_a_command_just_before_the_deadline_comes_in_time(referee: Referee) -> None:
    duel = pair(referee)
    referee.now = 119_999
    assert duel.done("zp", "roll")["clock"] == {"zp": 120, "jpleal": 120}


def test_a_late_tick_applies_every_due_timeout(referee: Referee) -> None:
    duels = [pair(referee, group=group, size=9) for group in (1, 2, 3)]
    lonely = referee.login("rui")
    referee.say(lonely, "join", group=4, size=9)
    referee.now = 1_000_000
    referee.tick()
    assert referee.update(lonely)["winner"] is None
    for duel in duels:
        assert timeout(referee.update(duel.zp)) == ("zp", "jpleal", "timeout")
    assert referee.say(lonely, "games") == {"games": [], "waiting": []}


def test_selecting_does_not_restart_the_clock(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(3,))
    duel = pair(referee)
    referee.place(duel.game, "B25 R31")
    referee.wait(10)
    assert duel.done("zp", "roll")["clock"]["zp"] == 120
    for left in (90, 60, 30):
        referee.wait(30)
        update = duel.done("zp", "notify", cell=25)
        assert update["clock"] == {"zp": left, "jpleal": 120}
    assert update["step"] == "to"
    referee.wait(29.999)
    assert referee.received(duel.zp) == []
    referee.wait(0.001)
    last = referee.update(duel.zp)
    assert timeout(last) == ("zp", "jpleal", "timeout")
    assert last["step"] == "from"


def test_a_refusal_does_not_restart_the_clock(referee: Referee) -> None:
    duel = pair(referee)
    referee.wait(119)
    assert duel.refused("zp", "pass")[0] == "must_roll"
    referee.wait(1)
    assert timeout(referee.update(duel.zp))[0] == "zp"


def test_a_clock_may_cover_the_whole_game(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(2, 2), red=(2,))
    duel = pair(referee, **TERMS, clock={"total": 10, "increment": 2})
    assert referee.say(duel.zp, "state")["clock"] == {"zp": 10, "jpleal": 10}
    referee.wait(3)
    assert duel.done("zp", "roll")["clock"] == {"zp": 7, "jpleal": 10}
    referee.wait(1)
    assert duel.done("zp", "pass")["clock"] == {"zp": 8, "jpleal": 10}
    referee.wait(9)
    assert duel.done("jpleal", "roll")["clock"] == {"zp": 8, "jpleal": 1}
    referee.wait(0.5)
    assert duel.done("jpleal", "pass")["clock"] == {"zp": 8, "jpleal": 2.5}
    referee.wait(7.999)
    assert referee.received(duel.zp) == []
    referee.wait(0.001)
    last = referee.update(duel.jpleal)
    assert timeout(last) == ("zp", "jpleal", "timeout")
    assert last["clock"] == {"zp": 0, "jpleal": 2.5}


def test_a_short_clock_runs_out_before_a_long_one(referee: Referee) -> None:
    long = pair(referee, **TERMS)
    short = pair(referee, **TERMS, clock={"move": 0.05})
    assert referee.service.deadline() == 50
    referee.wait(1)
    assert timeout(referee.update(short.zp))[0] == "zp"
    assert referee.say(long.zp, "state", game=long.game)["status"] == "playing"


def test_draughts_has_ten_minutes_for_the_game(referee: Referee) -> None:
    duel = pair(referee, kind="draughts")
    referee.wait(300)
    update = duel.done("zp", "notify", route=["c3", "d4"])
    assert update["clock"] == {"zp": 300, "jpleal": 600}
    referee.wait(599)
    update = duel.done("jpleal", "notify", route=["b6", "a5"])
    assert update["clock"] == {"zp": 300, "jpleal": 1}
    referee.wait(300)
    assert timeout(referee.update(duel.zp)) == ("zp", "jpleal", "timeout")


def test_clocks_run_while_nobody_is_connected(referee: Referee) -> None:
    duel = pair(referee)
    referee.disconnect(duel.zp)
    referee.disconnect(duel.jpleal)
    referee.wait(120)
    state = referee.say(referee.connect(), "state", game=duel.game)
    assert state["status"] == "ended"
    assert state["update"]["winner"] == "jpleal"


# -- forced rolls and passes


def events(updates: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    return [(update["event"]["type"], update["event"].get("player")) for update in updates]


def auto_pair(referee: Referee, *autos: bool) -> Pair:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    games = [
        referee.say(session, "join", **TERMS, auto=auto)
        for session, auto in zip((zp, jpleal), autos, strict=True)
    ]
    return Pair(referee, games[0]["game"], zp, jpleal, [game["token"] for game in games])


def test_auto_rolls_and_passes_for_the_first_player(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(6, 4, 2, 1), red=(2, 2))
    duel = auto_pair(referee, True, False)
    updates = referee.updates(duel.zp)
    assert updates == referee.updates(duel.jpleal)
    assert events(updates) == [
        ("start", None),
        *[("roll", "zp")] * 3,
        ("pass", "zp"),
    ]
    assert [update["seq"] for update in updates] == [1, 2, 3, 4, 5]
    assert updates[3]["mustPass"] == "zp"
    assert duel.done("jpleal", "roll")["mustPass"] == "jpleal"
    # the seat that is not auto passes by itself, then the server rolls up to the choice
    assert duel.say("jpleal", "pass") == {}
    updates = referee.updates(duel.zp)
    assert events(updates) == [("pass", "jpleal"), ("roll", "zp")]
    assert updates[-1]["dice"]["value"] == 1
    assert duel.say("zp", "check", command="notify", cell=8) == {"ok": True}


def test_auto_for_both_stops_at_the_first_choice(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(2, 3), red=(6, 2, 1, 3))
    duel = auto_pair(referee, True, True)
    updates = referee.updates(duel.jpleal)
    assert events(updates) == [
        ("start", None),
        ("roll", "zp"),
        ("pass", "zp"),
        ("roll", "jpleal"),
        ("roll", "jpleal"),
        ("pass", "jpleal"),
        ("roll", "zp"),
        ("pass", "zp"),
        ("roll", "jpleal"),
    ]
    referee.received(duel.zp)
    assert duel.refused("zp", "roll")[0] == "not_your_turn"
    assert duel.say("jpleal", "notify", cell=35) == {}
    updates = referee.updates(duel.zp)
    assert events(updates) == [("move", "jpleal"), ("roll", "jpleal")]


def test_auto_leaves_a_single_move_to_the_player(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(1,))
    duel = auto_pair(referee, True, False)
    assert len(duel.say("zp", "moves")["moves"]) == 1
    assert events(referee.updates(duel.zp)) == [("start", None), ("roll", "zp")]


def test_a_win_ends_the_forced_actions(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(1, 1))
    duel = auto_pair(referee, True, True)
    referee.place(duel.game, "B10 R11")
    assert duel.say("zp", "roll") == {}
    assert duel.say("zp", "notify", cell=10) == {}
    updates = referee.updates(duel.jpleal)
    assert events(updates)[-1] == ("move", "zp")
    assert updates[-1]["winner"] == "zp"


def test_auto_gives_a_full_clock_to_the_choice(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(2, 1), red=(2,))
    duel = auto_pair(referee, True, False)
    referee.wait(100)
    duel.say("jpleal", "roll")
    duel.say("jpleal", "pass")
    referee.received(duel.zp)
    referee.wait(119.999)
    assert referee.received(duel.zp) == []
    referee.wait(0.001)
    assert timeout(referee.update(duel.zp)) == ("zp", "jpleal", "timeout")
