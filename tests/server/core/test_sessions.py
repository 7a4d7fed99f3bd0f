"""Sessions: followers, seats and presence."""

from __future__ import annotations

import pytest

from tabnet.server.core.sessions import Sessions


@pytest.fixture
def sessions() -> Sessions:
    opened = Sessions()
    for id in (1, 2, 3):
        opened.open(id)
    return opened


def test_followers_in_the_order_they_came(sessions: Sessions) -> None:
    assert sessions.followers("g") == ()
    for id in (3, 1, 3, 2, 1):
        sessions.follow(sessions[id], "g")
    assert sessions.followers("g") == (3, 1, 2)
    assert sessions.followers("h") == ()
    assert sessions.close(1) == []
    assert sessions.followers("g") == (3, 2)
    with pytest.raises(KeyError):
        sessions[1]


def test_a_player_arrives_with_the_first_connection_and_leaves_with_the_last(
    sessions: Sessions,
) -> None:
    assert not sessions.is_present("g", "zp")
    assert [sessions.sit(sessions[id], "g", "zp") for id in (1, 2, 1)] == [True, False, False]
    assert sessions.is_present("g", "zp")
    assert not sessions.is_present("g", "jpleal")
    assert not sessions.is_present("h", "zp")
    assert sessions.close(1) == []
    assert sessions.is_present("g", "zp")
    assert [game for game, _ in sessions.close(2)] == ["g"]
    assert not sessions.is_present("g", "zp")
    assert sessions.sit(sessions[3], "g", "zp") is True


def test_a_connection_may_leave_several_games_and_seats(sessions: Sessions) -> None:
    for game, nick in (("h", "zp"), ("g", "zp"), ("g", "jpleal"), ("i", "zp")):
        sessions.sit(sessions[1], game, nick)
    sessions.sit(sessions[2], "i", "zp")
    assert {game for game, _ in sessions.close(1)} == {"g", "h"}


def test_the_end_of_a_game_removes_its_followers_and_seats(sessions: Sessions) -> None:
    for id, nick in ((1, "zp"), (2, "zp"), (3, "jpleal")):
        for game in ("g", "h"):
            sessions.follow(sessions[id], game)
            sessions.sit(sessions[id], game, nick)
    sessions.end("g")
    assert sessions.followers("g") == ()
    assert not sessions.is_present("g", "zp")
    assert sessions[1].follows == {"h"}
    assert sessions[3].seats == {("h", "jpleal")}
    sessions.end("g")
    assert sessions.followers("h") == (1, 2, 3)
    assert [[game for game, _ in sessions.close(id)] for id in (1, 2, 3)] == [[], ["h"], ["h"]]


def test_the_connections_of_a_nick(sessions: Sessions) -> None:
    sessions.log_in(sessions[1], "zp")
    sessions.log_in(sessions[2], "zp")
    sessions.log_in(sessions[3], None)
    assert sessions.list_logged_in("zp") == [1, 2]
    sessions.log_in(sessions[1], "jpleal")
    sessions.log_in(sessions[2], None)
    assert (sessions.list_logged_in("zp"), sessions.list_logged_in("jpleal")) == ([], [1])
    assert (sessions[1].nick, sessions[2].nick) == ("jpleal", None)
    sessions.close(1)
    assert sessions.list_logged_in("jpleal") == []
