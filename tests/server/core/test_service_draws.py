"""Draws that players agree on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.pure import Pair, Referee, fix_throws, pair

TERMS = {"group": 99, "size": 9}
BOTH = ("zp", "jpleal")


@pytest.fixture
def referee() -> Referee:
    return Referee()


@pytest.fixture
def duel(referee: Referee) -> Pair:
    return pair(referee)


@pytest.mark.parametrize("terms", [TERMS, {"kind": "draughts", "group": 99}])
def test_a_match_is_drawn_when_both_offer(referee: Referee, terms: dict[str, Any]) -> None:
    duel = pair(referee, **terms)
    first = duel.done("zp", "draw", offer=True)
    assert first["event"] == {"type": "draw", "player": "zp", "offer": True}
    assert (first["draw_offers"], first["turn"]) == (["zp"], "zp")
    assert "winner" not in first
    last = duel.done("jpleal", "draw", offer=True)
    assert last["event"] == {"type": "draw", "player": "jpleal", "offer": True}
    assert last["draw_offers"] == ["zp", "jpleal"]
    assert (last["winner"], last["turn"], last["expects"]) == (None, None, None)
    points = {"zp": 0, "jpleal": 0}
    assert last["result"] == {"winners": [], "points": points, "reason": "agreed"}
    ranking = referee.say(duel.zp, "ranking", **terms)["ranking"]
    assert {(line["victories"], line["games"]) for line in ranking} == {(0, 1)}
    assert [log.fields for log in referee.logs if log.event == "end"] == [
        {"game": duel.game, "winners": [], "reason": "agreed", "seq": 3}
    ]


def test_offers_out_of_turn_are_listed_in_seat_order(duel: Pair) -> None:
    assert duel.done("jpleal", "draw", offer=True)["draw_offers"] == ["jpleal"]
    assert duel.done("zp", "draw", offer=True)["draw_offers"] == ["zp", "jpleal"]


def test_old_updates_keep_their_draw_offers(duel: Pair) -> None:
    offers = [("zp", True), ("zp", False), ("jpleal", True), ("zp", True)]
    told = [duel.done(nick, "draw", offer=offer) for nick, offer in offers]
    assert [update["draw_offers"] for update in told] == [["zp"], [], ["jpleal"], ["zp", "jpleal"]]
    watcher = duel.referee.connect()
    assert duel.referee.say(watcher, "update", game=duel.game, since=1) == {}
    assert duel.referee.updates(watcher) == told


def test_an_offer_stands_across_moves(duel: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(1, 2), red=(2,))
    assert duel.done("jpleal", "draw", offer=True)["draw_offers"] == ["jpleal"]
    for nick, cmd, fields in (
        ("zp", "roll", {}),
        ("zp", "notify", {"cell": 8}),
        ("zp", "roll", {}),
        ("zp", "notify", {"cell": 9}),
        ("jpleal", "roll", {}),
        ("jpleal", "pass", {}),
    ):
        assert duel.done(nick, cmd, **fields)["draw_offers"] == ["jpleal"]
    assert duel.done("zp", "draw", offer=True)["result"]["reason"] == "agreed"


def test_an_offer_costs_no_time_and_gives_none(referee: Referee, duel: Pair) -> None:
    referee.wait(20)
    assert duel.done("zp", "draw", offer=True)["clock"] == {"zp": 100, "jpleal": 120}
    referee.wait(20)
    assert duel.done("zp", "draw", offer=False)["clock"] == {"zp": 80, "jpleal": 120}
    referee.wait(79.999)
    assert referee.received(duel.zp) == []
    referee.wait(0.001)
    assert referee.update(duel.zp)["event"] == {"type": "timeout", "player": "zp"}


@pytest.mark.parametrize("nick", BOTH)
def test_an_offer_is_made_once_and_can_be_taken_back(duel: Pair, nick: str) -> None:
    none = ("no_offer", "you have offered no draw")
    twice = ("already_offered", "you offer a draw already")
    other = BOTH[nick == "zp"]
    assert duel.refused(nick, "draw", offer=False) == none
    duel.done(nick, "draw", offer=True)
    assert duel.refused(nick, "draw", offer=True) == twice
    assert duel.refused(other, "draw", offer=False) == none
    assert duel.say(nick, "draw", offer=True)["field"] == "offer"
    assert duel.say(other, "draw", offer=False)["field"] == "offer"
    back = duel.done(nick, "draw", offer=False)
    assert back["event"] == {"type": "draw", "player": nick, "offer": False}
    assert back["draw_offers"] == []
    # what was taken back does not count
    assert "winner" not in duel.done(other, "draw", offer=True)
    assert duel.refused(nick, "draw", offer=False) == none
    assert duel.done(nick, "draw", offer=True)["result"]["reason"] == "agreed"


@pytest.mark.parametrize("offer", [True, False])
def test_there_is_nothing_to_offer_when_the_game_is_over(duel: Pair, offer: bool) -> None:
    duel.done("zp", "draw", offer=True)
    last = duel.done("jpleal", "leave")
    assert (last["winner"], last["draw_offers"]) == ("zp", ["zp"])
    for nick in BOTH:
        assert duel.refused(nick, "draw", offer=offer) == ("game_over", "the game is over")


def test_nor_before_it_has_begun(referee: Referee) -> None:
    zp = referee.login("zp")
    referee.say(zp, "join", **TERMS)
    assert referee.refused(zp, "draw", offer=True)[0] == "waiting"


def test_a_piece_that_is_held_stays_held_by_an_offer_and_is_let_go_by_the_draw(
    duel: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(3,))
    duel.referee.place(duel.game, "B25 R31")
    duel.done("zp", "roll")
    held = duel.done("zp", "notify", cell=25)
    offered = duel.done("zp", "draw", offer=True)
    for name in ("step", "cell", "selected", "dice", "expects", "turn"):
        assert offered[name] == held[name]
    agreed = duel.done("jpleal", "draw", offer=True)
    assert agreed["step"] == "from"
    assert "cell" not in agreed


def test_the_play_goes_on_where_it_was(duel: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(2,))
    rolled = duel.done("zp", "roll")
    assert rolled["mustPass"] == "zp"
    offered = duel.done("jpleal", "draw", offer=True)
    assert (offered["mustPass"], offered["dice"]) == ("zp", rolled["dice"])
    assert duel.say("zp", "moves") == {"moves": [], "actions": ["pass"]}
    assert duel.done("zp", "pass")["turn"] == "jpleal"


def test_an_offer_makes_its_player_present(referee: Referee, duel: Pair) -> None:
    referee.disconnect(duel.jpleal)
    assert referee.received(duel.zp)[-1]["online"] == {"zp": True, "jpleal": False}
    token = duel.tokens[1]
    assert referee.say(referee.connect(), "draw", token=token, offer=True) == {}
    presence, update = referee.received(duel.zp)
    assert presence["online"] == {"zp": True, "jpleal": True}
    assert update["draw_offers"] == ["jpleal"]


def test_an_offer_is_yes_or_no(duel: Pair) -> None:
    assert duel.refused("zp", "draw")[0] == "undefined_field"
    assert duel.refused("zp", "draw", offer=1)[0] == "wrong_type"
