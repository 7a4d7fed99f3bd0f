"""The fields of updates over whole games; an update is always the same bytes."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from tabnet.games import GAMES
from tabnet.protocol.codec import encode
from tabnet.server.core import updates as made
from tests.kinds import required_terms
from tests.server.pure import Pair, Referee, fix_throws, pair, play_out

ALWAYS = {
    *("type", "game", "seq", "kind", "options", "timing", "event", "players", "initial"),
    *("turn", "expects", "clock", "strict", "draw_offers"),
}
TAB = ALWAYS | {"pieces", "step", "dice", "mustPass"}
DRAUGHTS = ALWAYS | {"board", "quiet", "seen"}
ENDING = {"winner", "result"}
FIRST = {"dice_commit", "dice_salt_hashes"}
LAST = ENDING | {"dice_secret", "dice_salts"}
EVENTS = {"start", "roll", "select", "release", "move", "pass"}
SIZES = [7, 9, 15]


@pytest.fixture(scope="module", params=SIZES)
def played(request: pytest.FixtureRequest) -> tuple[Pair, list[bytes]]:
    """A whole game, and every line its watcher was sent."""
    duel = pair(Referee(f"game {request.param}"), group=99, size=request.param)
    return duel, play_out(duel, random.Random(request.param))


def frames(played: tuple[Pair, list[bytes]]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in played[1]]


def test_updates_are_numbered_from_1_without_a_gap(played: tuple[Pair, list[bytes]]) -> None:
    updates = frames(played)
    assert [update["seq"] for update in updates] == list(range(1, len(updates) + 1))
    assert {update["game"] for update in updates} == {played[0].game}
    assert {update["type"] for update in updates} == {"update"}


def test_all_followers_are_sent_the_same_bytes(played: tuple[Pair, list[bytes]]) -> None:
    duel, lines = played
    assert duel.referee.lines[duel.zp] == lines[1:]
    assert duel.referee.lines[duel.jpleal] == lines[1:]


def test_an_update_made_later_is_the_same_bytes(played: tuple[Pair, list[bytes]]) -> None:
    duel, lines = played
    match = duel.referee.match(duel.game)
    assert [encode(made.update(match, seq)) for seq in range(1, match.seq + 1)] == lines


def test_an_update_of_tab_has_its_fields(played: tuple[Pair, list[bytes]]) -> None:
    updates = frames(played)
    seen = Counter[str]()
    for update in updates:
        event = update["event"]
        seen[event["type"]] += 1
        marks = {"cell", "selected"} if event["type"] in ("select", "move") else set()
        first = FIRST if update["seq"] == 1 else set()
        last = LAST if update is updates[-1] else set()
        assert set(update) == TAB | marks | first | last
        assert update["step"] == ("to" if event["type"] == "select" else "from")
        if event["type"] == "move":
            assert update["selected"] == [event["cell"], event["to"]]
            assert update["cell"] == event["cell"]
        if event["type"] == "select":
            assert len(update["selected"]) == 2
        assert all(type(cell) is int for cell in update.get("selected", []))
        assert (event["type"] == "start") == (update["seq"] == 1)
        assert ("player" in event) == (update["seq"] > 1)
        if event["type"] in ("start", "move", "pass"):
            assert update["dice"] is None
        else:
            assert set(update["dice"]) == {"stickValues", "value", "keepPlaying"}
        assert update["initial"] == "zp"
        assert update["players"] == {"zp": "Blue", "jpleal": "Red"}
        assert update["options"] == {"size": len(update["pieces"]) // 4}
        assert update["turn"] in (("zp", "jpleal") if update is not updates[-1] else (None,))
        assert set(update["clock"]) == {"zp", "jpleal"}
    assert set(seen) == EVENTS


def test_must_pass_names_the_player_who_can_only_pass(played: tuple[Pair, list[bytes]]) -> None:
    updates = frames(played)
    passes = 0
    for before, after in pairwise(updates):
        passing = after["event"]["type"] == "pass"
        assert before["mustPass"] == (before["turn"] if passing else None)
        passes += passing
    assert passes
    assert updates[-1]["mustPass"] is None


def test_the_last_update_and_only_it_has_a_winner(played: tuple[Pair, list[bytes]]) -> None:
    *updates, last = frames(played)
    winner = last["winner"]
    colours = {piece["color"] for piece in last["pieces"] if piece}
    assert colours == {last["players"][winner]}
    points = {nick: int(nick == winner) for nick in ("zp", "jpleal")}
    assert last["result"] == {"winners": [winner], "points": points, "reason": "all_captured"}
    assert not any(LAST & set(update) for update in updates)


def test_all_throws_can_be_recomputed_from_the_secret(played: tuple[Pair, list[bytes]]) -> None:
    first, *updates = frames(played)
    secret = bytes.fromhex(updates[-1]["dice_secret"])
    assert len(secret) == 32
    commitment = hashlib.sha256(b"tabnet-commit-1" + first["game"].encode() + secret).hexdigest()
    assert first["dice_commit"] == commitment
    thrown = Counter[int]()
    for update in updates:
        if update["event"]["type"] != "roll":
            continue
        seat = ["zp", "jpleal"].index(update["event"]["player"])
        which = [seat, thrown[seat], 0]
        text = b"tabnet-dice-1" + bytes(64) + b"".join(n.to_bytes(4, "big") for n in which)
        byte = hmac.new(secret, text, hashlib.sha256).digest()[0]
        assert update["dice"]["stickValues"] == [bool(byte >> stick & 1) for stick in range(4)]
        thrown[seat] += 1
    assert min(thrown.values()) > 50


def test_an_update_of_draughts_has_no_dice() -> None:
    duel = pair(Referee(), kind="draughts", group=99)
    lines = play_out(duel, random.Random(3))
    updates = [json.loads(line) for line in lines]
    assert set(updates[-1]) == DRAUGHTS | ENDING
    assert all(set(update) == DRAUGHTS for update in updates[:-1])
    assert updates[0]["players"] == {"zp": "White", "jpleal": "Black"}
    assert updates[0]["options"] == {}
    assert updates[1]["event"]["player"] == "zp"
    assert {update["event"]["type"] for update in updates[1:]} == {"move"}
    assert all(len(update["event"]["route"]) > 1 for update in updates[1:])


def test_a_draw_has_no_winner() -> None:
    duel = pair(Referee(), kind="draughts", group=99)
    match = duel.referee.match(duel.game)
    duel.referee.change(match, state=match.terms.game.load("W:WK32:BK1"))
    for i in range(4):
        for nick, there in (("zp", ["g1", "h2"]), ("jpleal", ["b8", "a7"])):
            route = there[::-1] if i % 2 else there
            last = duel.done(nick, "notify", route=route)
    assert last["result"]["reason"] == "repetition"
    assert last["result"]["winners"] == []
    assert last["result"]["points"] == {"zp": 0, "jpleal": 0}
    assert last["winner"] is None
    ranking = duel.referee.say(duel.zp, "ranking", kind="draughts", group=99)["ranking"]
    assert ranking == [
        {"nick": "jpleal", "victories": 0, "games": 1},
        {"nick": "zp", "victories": 0, "games": 1},
    ]


def test_leaving_releases_a_selection_and_clears_must_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(3,))
    duel = pair(Referee())
    duel.referee.place(duel.game, "B25 R31")
    duel.done("zp", "roll")
    assert duel.done("zp", "notify", cell=25)["step"] == "to"
    last = duel.done("zp", "leave")
    assert last["step"] == "from"
    assert set(last) == TAB | LAST
    assert last["event"] == {"type": "leave", "player": "zp"}


def test_leaving_clears_must_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(2,))
    duel = pair(Referee())
    assert duel.done("zp", "roll")["mustPass"] == "zp"
    last = duel.done("zp", "leave")
    assert (last["mustPass"], last["turn"], last["winner"]) == (None, None, "jpleal")


def test_the_clock_of_an_update_is_that_of_its_event() -> None:
    duel = pair(Referee())
    referee = duel.referee
    referee.wait(30.5)
    first = referee.say(duel.zp, "state")["update"]
    assert first["clock"] == {"zp": 120, "jpleal": 120}
    last = duel.done("jpleal", "leave")
    assert last["clock"] == {"zp": 89.5, "jpleal": 120}
    referee.wait(50)
    assert referee.say(duel.zp, "update", game=duel.game) == {}
    assert referee.update(duel.zp) == last


@pytest.mark.parametrize("kind", GAMES)
def test_expects_names_a_legal_command(kind: str) -> None:
    referee = Referee()
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    terms = {"kind": kind, **required_terms(kind)}
    for session in (zp, jpleal):
        referee.say(session, "join", **terms)
    rng = random.Random(3)
    for _ in range(200):
        frame = referee.received(zp)[-1]
        if "winner" in frame:
            break
        session = zp if frame["turn"] == "zp" else jpleal
        choices = referee.say(session, "moves")
        assert choices["actions"] == [frame["expects"]]
        move = rng.choice(choices["moves"]) if frame["expects"] == "notify" else {}
        referee.say(session, frame["expects"], **move)
    assert (frame["expects"] is None) == ("winner" in frame)


def test_nothing_is_expected_of_an_automatic_seat() -> None:
    referee = Referee()
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    referee.say(zp, "join", group=1, size=7, auto=True)
    referee.say(jpleal, "join", group=1, size=7, auto=True)
    frames = [frame for frame in referee.received(zp) if frame["type"] == "update"]
    assert [frame["expects"] for frame in frames[:-1]] == [None] * (len(frames) - 1)
    assert frames[-1]["expects"] == "notify"
