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


def test_a_game_begins_when_its_wait_is_full(
    referee: Referee,
) -> None:
    a, first = joined(referee, "a")
    assert referee.received(a) == []
    b, _ = joined(referee, "b")
    there = {"type": "presence", "game": first["game"], "online": {"a": True, "b": True}}
    assert referee.received(a) == referee.received(b) == [there]
    waiting = referee.say(a, "games")["waiting"]
    assert [(each["players"], each["seats"]) for each in waiting] == [(2, 3)]
    c, last = joined(referee, "c")
    assert last["game"] == first["game"]
    for session in (a, b, c):
        update = referee.update(session)
        assert list(update["players"]) == ["a", "b", "c"]
        assert (update["initial"], update["turn"], update["out"]) == ("a", "a", [])


@pytest.mark.parametrize("other", [{"seats": 2}, {}, {"seats": 4}, {"strict": True}])
def test_players_with_different_numbers_of_seats_are_not_paired(
    referee: Referee, other: dict[str, Any]
) -> None:
    _, first = joined(referee, "a")
    session = referee.login("b")
    second = referee.say(session, "join", **({"kind": "race"} | other))
    assert first["game"] != second["game"]


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


def test_wished_seats_of_three_players_are_given(referee: Referee) -> None:
    a, first = joined(referee, "a", seat=2)
    _, other = joined(referee, "b", seat=2)
    assert other["game"] != first["game"]
    assert joined(referee, "c", seat=0)[1]["game"] == first["game"]
    assert joined(referee, "d")[1]["game"] == first["game"]
    assert list(referee.updates(a)[0]["players"]) == ["c", "d", "a"]


@pytest.mark.parametrize("private", [True, False])
def test_a_renewed_wish_for_a_taken_seat_is_refused_and_changes_nothing(
    referee: Referee, private: bool
) -> None:
    how = {"private": True} if private else {}
    a, first = joined(referee, "a", **how)
    b = referee.login("b")
    if private:
        referee.say(b, "join", invite=first["invite"], seat=0)
    else:
        referee.say(b, "join", **TERMS, seat=0)
    assert referee.refused(a, "join", **TERMS, **how, seat=0) == ("bad_value", "seat 0 is taken")
    assert referee.say(a, "state", token=first["token"])["game"] == first["game"]
    assert referee.say(a, "join", **TERMS, **how, seat=1)["game"] == first["game"]


def test_a_player_who_leaves_a_wait_leaves_it_to_the_others(referee: Referee) -> None:
    a, first = joined(referee, "a")
    b, second = joined(referee, "b")
    referee.received(a), referee.received(b)
    assert referee.say(a, "leave") == {}
    game = first["game"]
    assert referee.received(a) == [{"type": "update", "game": game, "seq": 1, "winner": None}]
    assert referee.received(b) == [{"type": "presence", "game": game, "online": {"b": True}}]
    assert referee.refused(a, "leave", token=first["token"])[0] == "bad_token"
    assert referee.refused(a, "leave", game=game)[0] == "no_seat"
    for nick in "cd":
        assert joined(referee, nick)[1]["game"] == second["game"]
    assert referee.received(a) == []
    assert list(referee.updates(b)[0]["players"]) == ["b", "c", "d"]


def test_a_connection_of_two_waiting_players_follows_until_both_have_left(referee: Referee) -> None:
    session, _ = joined(referee, "a")
    referee.say(session, "register", nick="b", password="b")
    referee.say(session, "join", **TERMS)
    referee.received(session)
    referee.say(session, "leave", nick="a", password="a")
    assert [frame["type"] for frame in referee.received(session)] == ["presence"]
    for nick in "cd":
        joined(referee, nick)
    assert [update["seq"] for update in referee.updates(session)] == [1]


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


def test_every_player_of_an_expired_wait_is_notified(referee: Referee) -> None:
    a, first = joined(referee, "a")
    b, _ = joined(referee, "b")
    referee.wait(120)
    for session in (a, b):
        assert referee.updates(session) == [
            {"type": "update", "game": first["game"], "seq": 1, "winner": None}
        ]


def test_a_private_game_for_four(referee: Referee) -> None:
    a, first = joined(referee, "a", seats=4, private=True)
    for nick in "bc":
        session = referee.login(nick)
        reply = referee.say(session, "join", invite=first["invite"])
        assert (reply["game"], reply["invite"]) == (first["game"], first["invite"])
    told = referee.refused(referee.login("x"), "join", invite=first["invite"], seats=4)
    assert told == ("bad_value", "the invite determines what is played: leave seats out")
    last = referee.say(referee.login("d"), "join", invite=first["invite"])
    assert "invite" not in last
    assert sorted(referee.updates(a)[0]["players"]) == list("abcd")


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


def test_players_time_out_one_after_the_other(referee: Referee) -> None:
    _, (a, _, _) = playing(referee, clock={"move": 5})
    referee.wait(5)
    update = referee.update(a)
    assert (update["event"], update["turn"]) == ({"type": "timeout", "player": "a"}, "b")
    assert update["clock"] == {"a": 5, "b": 5, "c": 5}
    referee.wait(4.999)
    assert referee.received(a) == []
    referee.wait(0.001)
    last = referee.update(a)
    assert (last["winner"], last["result"]["reason"]) == ("c", "timeout")
    assert referee.service.deadline() is None


def test_forced_actions_after_a_timeout_are_sent(referee: Referee) -> None:
    _, (a, _, _) = playing(referee, auto=True, clock={"move": 5})
    first = referee.say(a, "state")["update"]["seq"]
    referee.wait(5)
    told = referee.updates(a)
    assert [update["seq"] for update in told] == [first + 1, first + 2]
    assert [update["event"]["type"] for update in told] == ["timeout", "roll"]


def test_a_strict_game_goes_on_without_the_offender(referee: Referee) -> None:
    _, (a, b, c) = playing(referee, strict=True)
    reply = referee.say(a, "pass")
    assert reply["code"] == "must_roll"
    assert referee.update(b)["event"] == {"type": "illegal", "player": "a", "code": "must_roll"}
    assert referee.say(b, "notify", cell=0)["code"] == "must_roll"
    last = referee.updates(c)[-1]
    assert (last["winner"], last["result"]["reason"]) == ("c", "illegal_move")


def test_a_draw_needs_all_remaining_players(referee: Referee) -> None:
    _, sessions = playing(referee)
    told = []
    for number, offer in ((2, True), (0, True), (2, False), (1, True)):
        assert referee.say(sessions[number], "draw", offer=offer) == {}
        told.append(referee.updates(sessions[0])[-1]["draw_offers"])
    assert told == [["c"], ["a", "c"], ["a"], ["a", "b"]]
    assert referee.say(sessions[2], "leave") == {}
    last = referee.update(sessions[0])
    assert last["draw_offers"] == ["a", "b"]
    assert (last["winner"], last["result"]["reason"]) == (None, "agreed")
    assert last["result"]["points"] == {"a": 0, "b": 0, "c": 0}


def test_presence_lists_three_players(referee: Referee) -> None:
    game, (a, b, c) = playing(referee)
    referee.disconnect(b)
    there = {"a": True, "b": False, "c": True}
    assert referee.received(a) == [{"type": "presence", "game": game, "online": there}]
    assert referee.say(c, "state")["online"] == there


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
    assert after.left(other.now) == before.left(referee.now)
    assert other.service.games.games_of("a") == []
    assert other.service.games.games_of("b") == [game]
    assert other.service.games.lobby.tables[waits[0]].nicks == ["x", "y"]
    back = other.login("z")
    assert other.say(back, "join", **TERMS)["game"] == waits[1]
    assert list(other.updates(back)[0]["players"]) == ["x", "y", "z"]
