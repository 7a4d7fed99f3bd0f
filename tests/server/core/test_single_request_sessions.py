"""Sessions for one request leave nothing behind in the service."""

from __future__ import annotations

from tests.server.pure import Referee


def visited(referee, session, cmd, **fields):
    """One command of a visitor."""
    referee.service.connect_for_request(session)
    return referee.say(session, cmd, **fields)


def test_a_player_of_single_requests_is_never_present():
    referee = Referee()
    watcher, visitor = referee.connect(), referee.connect()
    seats = [visited(referee, visitor, "join", group=1, size=7) for _ in range(2)]
    game = seats[0]["game"]
    assert seats[1]["game"] == game
    assert referee.received(visitor) == []
    assert visited(referee, visitor, "roll", token=seats[0]["token"]) == {}
    assert referee.received(visitor) == []
    state = referee.say(watcher, "state", game=game)
    assert state["online"] == dict.fromkeys((seat["nick"] for seat in seats), False)


def test_a_single_request_session_leaves_no_login():
    referee = Referee()
    visitor = referee.connect()
    assert visited(referee, visitor, "register", nick="zp", password="secret") == {}
    assert visited(referee, visitor, "leave")["code"] == "who_are_you"


def test_a_guest_of_a_single_request_waits_on():
    referee = Referee()
    visitor = referee.connect()
    game = visited(referee, visitor, "join", group=1, size=7)["game"]
    referee.disconnect(visitor)
    assert referee.say(referee.connect(), "state", game=game)["status"] == "waiting"


def test_presence_shows_players_of_single_requests_as_absent():
    referee = Referee()
    first, visitor = referee.connect(), referee.connect()
    mine = referee.say(first, "join", group=1, size=7)
    theirs = visited(referee, visitor, "join", group=1, size=7)
    _, presence = referee.received(first)
    assert presence["online"] == {mine["nick"]: True, theirs["nick"]: False}
