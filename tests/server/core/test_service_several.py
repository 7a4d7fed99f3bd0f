"""Games for three and four: waits, matches, removals and updates."""

from __future__ import annotations

from typing import Any

import pytest

from tabnet.games import GAMES
from tests.race import RACE
from tests.server.pure import Referee

TERMS = {"kind": "race", "seats": 3}


@pytest.fixture
def referee(monkeypatch: pytest.MonkeyPatch) -> Referee:
    monkeypatch.setitem(GAMES, "race", RACE)
    return Referee()


def joined(referee: Referee, nick: str, **terms: Any) -> tuple[int, dict[str, Any]]:
    """A session of that player, and the reply to its join."""
    session = referee.login(nick)
    return session, referee.say(session, "join", **(TERMS | terms))


def playing(referee: Referee, nicks: str = "abc", **terms: Any) -> tuple[str, list[int]]:
    """A game that has begun, and its players' sessions in seat order; all is read."""
    joins = [joined(referee, nick, seats=len(nicks), **terms) for nick in nicks]
    (game,) = {reply["game"] for _, reply in joins}
    for session, _ in joins:
        referee.received(session)
    return game, [session for session, _ in joins]


# -- waiting


def test_the_default_number_of_seats_is_two(referee: Referee) -> None:
    game, _ = playing(referee, "ab")
    session = referee.login("c")
    referee.say(session, "join", kind="race")
    d, reply = joined(referee, "d", seats=2)
    assert (reply["game"] != game, len(referee.update(d)["players"])) == (True, 2)


@pytest.mark.parametrize(
    ("fields", "code", "text"),
    [
        ({"kind": "draughts", "seats": 3}, "invalid_option", "Draughts is not for 3"),
        ({"size": 9, "group": 1, "seats": 4}, "invalid_option", "Tab is not for 4"),
        ({"kind": "race", "seats": 3, "seat": 3}, "bad_value", "there is no seat 3"),
    ],
)
def test_the_number_of_seats_must_fit_the_kind(
    referee: Referee, fields: dict[str, Any], code: str, text: str
) -> None:
    assert referee.refused(referee.login("a"), "join", **fields) == (code, text)


def test_a_kind_for_two_to_three(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(RACE), "seats", range(2, 4))
    told = referee.refused(referee.login("a"), "join", kind="race", seats=4)
    assert told == ("invalid_option", "Race is not for 4")


def test_a_disconnected_guest_leaves_the_wait_and_the_others_stay(referee: Referee) -> None:
    a, first = joined(referee, "a")
    guest = referee.connect()
    referee.say(guest, "join", **TERMS)
    referee.received(a)
    referee.disconnect(guest)
    assert referee.received(a) == [
        {"type": "presence", "game": first["game"], "online": {"a": True}},
    ]
    revived = referee.revived()
    assert [table.nicks for table in revived.service.games.lobby.tables.values()] == [["a"]]


# -- playing


def test_a_player_who_leaves_is_removed_and_the_others_play_on(referee: Referee) -> None:
    game, (a, b, c) = playing(referee)
    assert referee.say(a, "leave") == {}
    update = referee.update(a)
    assert (update["event"], update["out"]) == ({"type": "leave", "player": "a"}, ["red"])
    assert (update["turn"], "winner" in update) == ("b", False)
    assert [referee.update(session) for session in (b, c)] == [update, update]
    for cmd, fields in (
        ("leave", {}),
        ("roll", {}),
        ("draw", {"offer": True}),
        ("check", {"command": "roll"}),
    ):
        assert referee.refused(a, cmd, game=game, **fields) == ("no_seat", "a is out of this game")
    # nor is it a seat that counts
    assert referee.refused(a, "leave")[0] == "which_game"
    assert referee.say(a, "join", kind="race")["game"] != game
    # but who is out sees the rest
    assert referee.say(b, "roll") == {}
    assert referee.update(a)["event"] == {"type": "roll", "player": "b"}
    assert referee.say(c, "leave") == {}
    last = referee.update(a)
    assert last["winner"] == "b"
    assert last["result"] == {
        "winners": ["b"],
        "points": {"a": 0, "b": 1, "c": 0},
        "reason": "leave",
    }
    assert referee.refused(a, "leave", game=game)[0] == "game_over"
    ranking = referee.say(a, "ranking", kind="race")["ranking"]
    assert ranking == [
        {"nick": "b", "victories": 1, "games": 1},
        {"nick": "a", "victories": 0, "games": 1},
        {"nick": "c", "victories": 0, "games": 1},
    ]


def test_forced_actions_after_a_timeout_are_sent(referee: Referee) -> None:
    _, (a, _, _) = playing(referee, auto=True, clock={"move": 5})
    first = referee.say(a, "state")["update"]["seq"]
    referee.wait(5)
    told = referee.updates(a)
    assert [update["seq"] for update in told] == [first + 1, first + 2]
    assert [update["event"]["type"] for update in told] == ["timeout", "roll"]


def test_a_banned_player_is_out_of_games_and_waits(referee: Referee) -> None:
    _, (_, b, _) = playing(referee)
    joined(referee, "d")
    e, _ = joined(referee, "e")
    referee.received(e)
    for nick in "ad":
        assert referee.order("ban", nick=nick, reason="rude") == {"done": f"{nick} is banned"}
    assert referee.update(b)["out"] == ["red"]
    assert referee.received(e)[-1]["online"] == {"e": True}


def test_a_game_of_three_continues_after_a_restart(referee: Referee) -> None:
    game, (a, *_) = playing(referee, "abcd", clock={"total": 60})
    referee.say(a, "leave")
    waits = [joined(referee, nick)[1]["game"] for nick in "xy"]
    referee.now += 1000
    referee.stop()
    other = referee.revived()
    before, after = referee.match(game), other.match(game)
    assert (
        (after.out, after.turn, after.seq) == (before.out, before.turn, before.seq) == ((0,), 1, 2)
    )
    assert after.compute_left(other.now) == before.compute_left(referee.now)
    assert other.service.games.list_games_of("a") == []
    assert other.service.games.list_games_of("b") == [game]
    assert other.service.games.lobby.tables[waits[0]].nicks == ["x", "y"]
    back = other.login("z")
    assert other.say(back, "join", **TERMS)["game"] == waits[1]
    assert list(other.updates(back)[0]["players"]) == ["x", "y", "z"]
