"""The pairing of players, and their seats."""

from __future__ import annotations

from typing import Any

import pytest

from tabnet.server.core.costs.limits import Limits
from tests.server.pure import Referee

TERMS = {"group": 99, "size": 9}


@pytest.fixture
def referee() -> Referee:
    return Referee()


def joined(referee: Referee, nick: str, **terms: Any) -> tuple[int, str]:
    """A new session of that player, and the game it is given."""
    session = referee.login(nick)
    reply = referee.say(session, "join", **(terms or TERMS))
    assert set(reply) == {"game", "nick", "token"}
    assert reply["nick"] == nick
    return session, reply["game"]


def seats(referee: Referee, session: int) -> list[str]:
    """Return the players of the game that has just begun, the first player first."""
    update = referee.updates(session)[0]
    assert update["turn"] == update["initial"]
    return list(update["players"])


EVERYTHING = [
    ({"group": 99, "size": 9}, {"group": 98, "size": 9}),
    ({"group": 99, "size": 9}, {"group": 99, "size": 7}),
    ({"group": 99, "size": 9}, {"group": 99, "size": 9, "clock": {"move": 60}}),
    (
        {"group": 99, "size": 9, "clock": {"total": 60}},
        {"group": 99, "size": 9, "clock": {"total": 60, "increment": 1}},
    ),
    ({"group": 99, "size": 9}, {"group": 99, "kind": "draughts"}),
    ({"group": 99, "kind": "draughts"}, {"kind": "draughts"}),
    ({"kind": "draughts"}, {"kind": "draughts", "clock": {"move": 120}}),
]


@pytest.mark.parametrize(("mine", "yours"), EVERYTHING)
def test_players_with_different_terms_are_not_paired(
    referee: Referee, mine: dict[str, Any], yours: dict[str, Any]
) -> None:
    _, first = joined(referee, "zp", **mine)
    _, second = joined(referee, "jpleal", **yours)
    assert first != second
    assert joined(referee, "a", **yours)[1] == second
    assert joined(referee, "b", **mine)[1] == first


@pytest.mark.parametrize(
    ("mine", "yours"),
    [
        ({"group": 99, "size": 9}, {"group": 99, "size": 9, "kind": "tab"}),
        ({"group": 99, "size": 9}, {"group": 99, "size": 9, "clock": {"move": 120}}),
        ({"group": 99, "size": 9}, {"group": 99, "size": 9, "clock": {"move": 120.0}}),
        ({"kind": "draughts"}, {"kind": "draughts", "clock": {"total": 600}}),
        ({"group": 99, "size": 9}, {"group": 99, "size": 9, "auto": True}),
        ({"group": 99, "size": 9}, {"group": 99, "size": 9, "seat": 1}),
    ],
)
def test_players_with_equivalent_terms_are_paired(
    referee: Referee, mine: dict[str, Any], yours: dict[str, Any]
) -> None:
    assert joined(referee, "zp", **mine)[1] == joined(referee, "jpleal", **yours)[1]


def test_waiting_players_are_paired_in_order(referee: Referee) -> None:
    waits = [joined(referee, nick, **TERMS, clock={"move": n + 60}) for n, nick in enumerate("abc")]
    assert len({game for _, game in waits}) == 3
    # the same wish: three tables on equal terms
    zero = [joined(referee, nick, **TERMS, seat=0)[1] for nick in "def"]
    assert len(set(zero)) == 3
    assert [joined(referee, nick)[1] for nick in "ghi"] == zero


def test_a_player_is_not_paired_with_themself(referee: Referee) -> None:
    session, game = joined(referee, "zp")
    for _ in range(3):
        assert joined(referee, "zp")[1] == game
        assert referee.say(session, "join", **TERMS)["game"] == game
    assert referee.received(session) == []
    assert len(referee.say(session, "games")["waiting"]) == 1
    guest = referee.connect()
    other = referee.say(guest, "join", group=98, size=9)["game"]
    assert referee.say(guest, "join", group=98, size=9)["game"] == other
    assert referee.received(guest) == []


def test_one_player_may_wait_for_several_games_and_play_several(referee: Referee) -> None:
    zp, first = joined(referee, "zp")
    second = referee.say(zp, "join", group=98, size=9)["game"]
    assert joined(referee, "jpleal")[1] == first
    # the one that has begun is no wait any more
    third = referee.say(zp, "join", **TERMS)["game"]
    assert len({first, second, third}) == 3
    assert joined(referee, "jpleal")[1] == third
    assert len(referee.say(zp, "games")["games"]) == 2


@pytest.mark.parametrize(
    ("mine", "yours", "order"),
    [
        (None, None, ["zp", "jpleal"]),
        (0, None, ["zp", "jpleal"]),
        (1, None, ["jpleal", "zp"]),
        (None, 0, ["jpleal", "zp"]),
        (None, 1, ["zp", "jpleal"]),
        (0, 1, ["zp", "jpleal"]),
        (1, 0, ["jpleal", "zp"]),
    ],
)
def test_wished_seats_are_given(
    referee: Referee, mine: int | None, yours: int | None, order: list[str]
) -> None:
    wishes = [{} if wish is None else {"seat": wish} for wish in (mine, yours)]
    zp, _ = joined(referee, "zp", **TERMS, **wishes[0])
    joined(referee, "jpleal", **TERMS, **wishes[1])
    assert seats(referee, zp) == order


@pytest.mark.parametrize("wish", [0, 1])
def test_two_equal_wishes_are_not_paired(referee: Referee, wish: int) -> None:
    zp, first = joined(referee, "zp", **TERMS, seat=wish)
    _, second = joined(referee, "jpleal", **TERMS, seat=wish)
    assert first != second
    assert referee.received(zp) == []
    assert joined(referee, "rui", **TERMS, seat=1 - wish)[1] == first
    order = ["zp", "rui"]
    assert seats(referee, zp) == (order[::-1] if wish else order)


def test_joining_again_replaces_the_wish(referee: Referee) -> None:
    zp, game = joined(referee, "zp", **TERMS, seat=0)
    assert referee.say(zp, "join", **TERMS, seat=1)["game"] == game
    assert joined(referee, "jpleal", **TERMS, seat=0)[1] == game
    assert seats(referee, zp) == ["jpleal", "zp"]


def test_joining_again_replaces_auto(referee: Referee) -> None:
    zp, game = joined(referee, "zp", **TERMS, auto=True)
    assert referee.say(zp, "join", **TERMS)["game"] == game
    joined(referee, "jpleal")
    assert [update["event"]["type"] for update in referee.updates(zp)] == ["start"]


def test_a_player_who_left_is_not_paired(referee: Referee) -> None:
    zp, first = joined(referee, "zp")
    assert referee.say(zp, "leave") == {}
    jpleal, second = joined(referee, "jpleal")
    assert second != first
    assert referee.received(jpleal) == []
    assert joined(referee, "zp")[1] == second


@pytest.mark.parametrize("seat", [2, 3])
def test_a_missing_seat_is_refused(referee: Referee, seat: int) -> None:
    zp = referee.login("zp")
    refused = referee.refused(zp, "join", **TERMS, seat=seat)
    assert refused == ("bad_value", f"there is no seat {seat}")


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"size": 9}, ("undefined_field", "undefined group")),
        ({"group": 99}, ("undefined_field", "undefined size")),
        ({}, ("undefined_field", "undefined group")),
        ({"group": 99, "size": 8}, ("invalid_option", "invalid size '8'")),
        ({"group": 99, "size": 5}, ("invalid_option", "invalid size '5'")),
        ({"group": 99, "size": -9}, ("invalid_option", "invalid size '-9'")),
        ({"group": 99, "size": 9.0}, ("wrong_type", "invalid size '9.0'")),
        ({"group": 99, "size": True}, ("wrong_type", "invalid size 'true'")),
        ({"group": 0, "size": 9}, ("bad_value", "invalid group '0'")),
        ({"group": "2 of us", "size": 9}, ("wrong_type", "invalid group '2 of us'")),
        ({"kind": "chess"}, ("unknown_kind", "unknown kind 'chess'")),
        ({"kind": "draughts", "size": 9}, ("unknown_option", "draughts has no option 'size'")),
    ],
)
@pytest.mark.parametrize("is_guest", [True, False])
def test_invalid_terms_are_refused(
    referee: Referee, fields: dict[str, Any], refusal: tuple[str, str], is_guest: bool
) -> None:
    session = referee.connect() if is_guest else referee.login("zp")
    assert referee.refused(session, "join", **fields) == refusal


def test_the_number_of_games_of_a_nick_is_limited(referee: Referee) -> None:
    referee.service.quotas.limits = Limits(games_per_nick=2)
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    games = [referee.say(zp, "join", group=group, size=9)["game"] for group in (1, 2)]
    hidden = referee.say(jpleal, "join", **TERMS, private=True)
    too_many = ("too_many_games", "zp already has 2 games, the maximum")
    for fields in (TERMS, {"group": 1, "size": 9, "private": True}, {"invite": hidden["invite"]}):
        assert referee.refused(zp, "join", **fields) == too_many
    assert not referee.closed
    # to ask again for a game is not to ask for one more
    assert referee.say(zp, "join", group=1, size=9)["game"] == games[0]
    assert referee.say(zp, "leave", game=games[1]) == {}
    assert referee.say(zp, "join", invite=hidden["invite"])["game"] == hidden["game"]


def test_a_pair_is_logged(referee: Referee) -> None:
    _, game = joined(referee, "zp")
    joined(referee, "jpleal")
    (log,) = [log for log in referee.logs if log.event == "pair"]
    assert log.fields == {"game": game, "kind": "tab", "players": ["zp", "jpleal"]}
