"""Connections that stop following a match. The dialogues show how others follow."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.pure import Pair, Referee, fix_throws, pair

TERMS = {"group": 99, "size": 9}


@pytest.fixture
def duel(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Four updates have been sent: start, roll, move, roll."""
    fix_throws(monkeypatch, blue=(1, 2), red=(2,))
    duel = pair(referee)
    duel.done("zp", "roll")
    duel.done("zp", "notify", cell=8)
    duel.done("zp", "roll")
    return duel


def numbers(updates: list[dict[str, Any]]) -> list[int]:
    return [update["seq"] for update in updates]


def test_a_disconnected_session_is_sent_nothing(duel: Pair) -> None:
    referee = duel.referee
    watcher = referee.connect()
    referee.say(watcher, "update", game=duel.game)
    referee.received(watcher)
    referee.disconnect(watcher)
    duel.done("zp", "notify", cell=9)
    assert referee.lines[watcher] == []


def test_a_connection_stops_following_and_stays(duel: Pair) -> None:
    referee = duel.referee
    watcher = referee.connect()
    referee.say(watcher, "update", game=duel.game)
    referee.received(watcher)
    assert referee.service.stop_following(watcher, duel.game) == []
    assert referee.service.stop_following(watcher, duel.game) == []
    duel.done("zp", "notify", cell=9)
    assert referee.received(watcher) == []
    assert referee.say(watcher, "update", game=duel.game) == {}
    assert numbers(referee.updates(watcher)) == [5]


def test_a_player_who_stops_following_is_absent_until_the_next_command(duel: Pair) -> None:
    referee = duel.referee
    (effect,) = referee.service.stop_following(duel.zp, duel.game)
    assert effect.to == (duel.jpleal,)
    assert effect.frame.online == {"zp": False, "jpleal": True}
    assert duel.say("zp", "notify", cell=9) == {}
    presence, update = referee.received(duel.jpleal)
    assert (presence["online"], update["seq"]) == ({"zp": True, "jpleal": True}, 5)
    assert referee.received(duel.zp) == []  # to play is not to follow


def test_a_player_with_another_connection_stays_present(duel: Pair) -> None:
    referee = duel.referee
    second = referee.login("zp")
    referee.say(second, "update", game=duel.game)
    assert referee.service.stop_following(duel.zp, duel.game) == []
    (effect,) = referee.service.stop_following(second, duel.game)
    assert effect.frame.online == {"zp": False, "jpleal": True}


def test_the_connection_keeps_following_other_games(duel: Pair) -> None:
    referee = duel.referee
    other = pair(referee, kind="draughts", group=1)
    session = referee.login("zp")
    for game in (duel.game, other.game):
        referee.say(session, "update", game=game)
    referee.service.stop_following(session, duel.game)
    assert referee.service.sessions.followers(other.game)[-1] == session
    assert session not in referee.service.sessions.followers(duel.game)


def test_a_guest_who_stops_following_a_public_wait_stops_waiting(referee: Referee) -> None:
    guest = referee.connect()
    game = referee.say(guest, "join", **TERMS)["game"]
    referee.perform(referee.service.stop_following(guest, game))
    assert referee.service.games.lobby.tables == {}
