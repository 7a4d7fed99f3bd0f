"""Following, watching, catching up, and who is present."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.server.pure import Pair, Referee, fix_throws, pair, play_out

TERMS = {"group": 99, "size": 9}


@pytest.fixture
def referee() -> Referee:
    return Referee()


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


# -- update


@pytest.mark.parametrize(
    ("since", "sent"),
    [
        ({}, [4]),
        ({"since": 0}, [1, 2, 3, 4]),
        ({"since": 1}, [2, 3, 4]),
        ({"since": 3}, [4]),
        ({"since": 4}, []),
    ],
)
def test_since_is_exclusive(duel: Pair, since: dict[str, int], sent: list[int]) -> None:
    referee = duel.referee
    watcher = referee.connect()
    assert referee.say(watcher, "update", game=duel.game, **since) == {}
    assert numbers(referee.updates(watcher)) == sent
    duel.done("zp", "notify", cell=9)
    assert numbers(referee.updates(watcher)) == [5]


@pytest.mark.parametrize("since", [5, 6, 2**62])
def test_since_beyond_the_end(duel: Pair, since: int) -> None:
    referee = duel.referee
    watcher = referee.connect()
    code, text = referee.refused(watcher, "update", game=duel.game, since=since)
    assert code == "bad_value"
    assert text == "since is more than 4, the number of the latest update"
    duel.done("zp", "notify", cell=9)
    assert referee.received(watcher) == []


def test_missed_updates_go_only_to_the_session_that_asked(duel: Pair) -> None:
    referee = duel.referee
    first, second = referee.connect(), referee.connect()
    referee.say(first, "update", game=duel.game)
    referee.received(first)
    referee.say(second, "update", game=duel.game, since=0)
    assert numbers(referee.updates(second)) == [1, 2, 3, 4]
    assert [referee.received(session) for session in (first, duel.zp, duel.jpleal)] == [[], [], []]


def test_a_connection_follows_once(duel: Pair) -> None:
    referee = duel.referee
    for _ in range(3):
        assert referee.say(duel.zp, "update", game=duel.game) == {}
        assert numbers(referee.updates(duel.zp)) == [4]
    assert referee.say(duel.zp, "roll", game=duel.game)["error"]
    duel.done("zp", "notify", cell=9)


def test_anyone_may_watch_and_needs_no_name(duel: Pair) -> None:
    referee = duel.referee
    stranger, friend = referee.connect(), referee.login("rui")
    for watcher in (stranger, friend):
        assert referee.say(watcher, "update", game=duel.game, nick="whoever") == {}
        assert numbers(referee.updates(watcher)) == [4]
    update = duel.done("zp", "notify", cell=9)
    assert referee.received(stranger) == referee.received(friend) == [update]


def test_a_player_with_one_seat_may_omit_the_game(duel: Pair) -> None:
    referee = duel.referee
    again = referee.login("zp")
    assert referee.say(again, "update") == {}
    assert numbers(referee.updates(again)) == [4]


def test_following_a_wait(referee: Referee) -> None:
    zp = referee.login("zp")
    game = referee.say(zp, "join", **TERMS)["game"]
    watcher = referee.connect()
    assert referee.refused(watcher, "update", game=game, since=1)[0] == "bad_value"
    for since in ({}, {"since": 0}):
        assert referee.say(watcher, "update", game=game, **since) == {}
        assert referee.received(watcher) == []
    referee.say(referee.login("jpleal"), "join", **TERMS)
    assert referee.update(watcher) == referee.update(zp)


def test_a_finished_game_can_still_be_asked_for(referee: Referee) -> None:
    duel = pair(referee)
    lines = play_out(duel, random.Random(1))
    watcher = referee.connect()
    assert referee.say(watcher, "update", game=duel.game, since=0) == {}
    assert referee.lines[watcher] == lines
    referee.received(watcher)
    assert referee.say(watcher, "update", game=duel.game) == {}
    assert referee.lines[watcher] == lines[-1:]
    referee.received(watcher)
    assert referee.say(watcher, "update", game=duel.game, since=len(lines)) == {}
    assert referee.received(watcher) == []
    assert referee.service.sessions.followers(duel.game) == ()


def test_a_disconnected_session_is_sent_nothing(duel: Pair) -> None:
    referee = duel.referee
    watcher = referee.connect()
    referee.say(watcher, "update", game=duel.game)
    referee.received(watcher)
    referee.disconnect(watcher)
    duel.done("zp", "notify", cell=9)
    assert referee.lines[watcher] == []


# -- presence


def online(referee: Referee, session: int, game: str) -> dict[str, bool]:
    (frame,) = referee.received(session)
    assert set(frame) == {"type", "game", "online"}
    assert (frame["type"], frame["game"]) == ("presence", game)
    return frame["online"]


def test_presence_follows_the_last_connection_of_a_player(duel: Pair) -> None:
    referee = duel.referee
    watcher = referee.connect()
    referee.say(watcher, "update", game=duel.game)
    referee.received(watcher)
    referee.disconnect(duel.zp)
    away = {"zp": False, "jpleal": True}
    assert online(referee, duel.jpleal, duel.game) == away
    assert online(referee, watcher, duel.game) == away
    assert referee.say(watcher, "state", game=duel.game)["online"] == away
    back = referee.login("zp")
    assert referee.received(watcher) == []  # logging in is not being there yet
    assert referee.say(back, "update", since=4) == {}
    here = {"zp": True, "jpleal": True}
    assert online(referee, duel.jpleal, duel.game) == here
    assert online(referee, back, duel.game) == here
    assert referee.say(watcher, "state", game=duel.game)["online"] == here
    # the seat is still theirs
    assert referee.say(back, "notify", cell=9) == {}
    assert referee.update(back)["event"]["player"] == "zp"


def test_other_connections_change_nothing(duel: Pair) -> None:
    referee = duel.referee
    second, watcher = referee.login("zp"), referee.connect()
    for session in (second, watcher):
        referee.say(session, "update", game=duel.game)
        referee.received(session)
    referee.disconnect(second)
    referee.disconnect(watcher)
    third = referee.login("zp")
    referee.say(third, "update")
    referee.received(third)
    referee.disconnect(duel.zp)
    assert referee.received(duel.jpleal) == []
    referee.disconnect(third)
    assert online(referee, duel.jpleal, duel.game) == {"zp": False, "jpleal": True}


def test_a_command_with_a_token_makes_the_player_present(duel: Pair) -> None:
    referee = duel.referee
    referee.disconnect(duel.zp)
    referee.received(duel.jpleal)
    stranger = referee.connect()
    token = duel.tokens[0]
    assert referee.refused(stranger, "roll", token=token)[0] == "must_move"
    assert referee.received(duel.jpleal) == []
    assert referee.say(stranger, "notify", token=token, cell=9) == {}
    presence, update = referee.received(duel.jpleal)
    assert presence["online"] == {"zp": True, "jpleal": True}
    assert update["event"]["player"] == "zp"
    assert referee.received(stranger) == []  # it plays, and does not follow
    referee.disconnect(stranger)
    assert online(referee, duel.jpleal, duel.game) == {"zp": False, "jpleal": True}


def test_a_player_who_disconnected_while_waiting_is_absent_from_the_start(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    game = referee.say(zp, "join", **TERMS)["game"]
    referee.disconnect(zp)
    watcher = referee.connect()
    assert referee.say(watcher, "state", game=game)["online"] == {"zp": False}
    assert referee.say(jpleal, "join", **TERMS)["game"] == game
    update, presence = referee.received(jpleal)
    assert update["seq"] == 1
    assert presence["online"] == {"zp": False, "jpleal": True}


def test_a_player_who_reconnected_while_waiting_is_present(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    game = referee.say(zp, "join", **TERMS)["game"]
    referee.disconnect(zp)
    back = referee.login("zp")
    assert referee.say(back, "update") == {}
    assert referee.received(back) == []
    assert referee.say(jpleal, "join", **TERMS)["game"] == game
    assert referee.update(jpleal) == referee.update(back)


def test_one_connection_that_plays_both_seats(referee: Referee) -> None:
    both, watcher = referee.login("jpleal"), referee.connect()
    referee.login("zp")
    game = referee.say(both, "join", nick="zp", password="secret", **TERMS)["game"]
    assert referee.say(both, "join", **TERMS)["game"] == game
    assert len(referee.received(both)) == 1
    referee.say(watcher, "update", game=game)
    referee.received(watcher)
    referee.disconnect(both)
    assert online(referee, watcher, game) == {"zp": False, "jpleal": False}


def test_nobody_is_present_in_a_finished_game(duel: Pair) -> None:
    referee = duel.referee
    duel.done("zp", "leave")
    assert "online" not in referee.say(duel.zp, "state", game=duel.game)
    referee.say(duel.zp, "update", game=duel.game)
    referee.received(duel.zp)
    referee.disconnect(duel.jpleal)
    assert referee.received(duel.zp) == []


def test_disconnecting_keeps_the_seat_and_the_wait(referee: Referee) -> None:
    zp = referee.login("zp")
    game = referee.say(zp, "join", **TERMS)["game"]
    referee.disconnect(zp)
    back = referee.login("zp")
    assert referee.say(back, "state")["game"] == game
    assert referee.say(back, "leave") == {}
    assert referee.received(back) == []  # it did not follow


def test_a_token_implies_the_game_and_the_player() -> None:
    referee = Referee()
    guest, other = referee.connect(), referee.connect()
    joined = referee.say(guest, "join", group=1, size=7)
    referee.say(other, "join", group=1, size=7)
    elsewhere = referee.connect()
    token = joined["token"]
    assert referee.say(elsewhere, "state", token=token)["game"] == joined["game"]
    assert referee.say(elsewhere, "moves", token=token)["actions"] == ["roll"]
    referee.disconnect(guest)
    assert referee.say(other, "state")["online"][joined["nick"]] is False
    assert referee.say(elsewhere, "update", token=token) == {}
    assert referee.say(other, "state")["online"][joined["nick"]] is True
    for cmd in ("state", "moves", "update", "roll"):
        told = referee.refused(elsewhere, cmd, token=token, game="elsewhere")
        assert told[0] == "bad_token"


def test_a_token_and_a_password_are_not_sent_together() -> None:
    referee = Referee()
    guest = referee.connect()
    token = referee.say(guest, "join", group=1, size=7)["token"]
    told = referee.refused(guest, "leave", token=token, nick="zp", password="secret")
    assert told == ("bad_value", "send a token, or nick and password, not both")


def test_a_disconnected_guest_stops_waiting() -> None:
    referee = Referee()
    guest, player = referee.connect(), referee.login("zp")
    referee.say(guest, "join", group=1, size=7)
    referee.say(player, "join", group=2, size=7)
    referee.disconnect(guest)
    referee.disconnect(player)
    waiting = referee.say(referee.connect(), "games")["waiting"]
    assert [table["group"] for table in waiting] == [2]


# -- stop following


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
