"""Draw offers, withdrawals and releases have a limit until the seat's own next action."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from tabnet.server.core.matches.turn_limits import MAX_OFFERS, MAX_RELEASES
from tests.server.pure import Pair, Referee, fix_throws, pair

TOO_MANY = ("too_many_offers", "you have offered a draw, or withdrawn an offer, 8 times")


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> Pair:
    fix_throws(monkeypatch, blue=(2, 2), red=(2, 2))
    return pair(Referee(), group=99, size=9, strict=True)


def offer_eight_times(duel: Pair, nick: str) -> None:
    for number in range(MAX_OFFERS):
        duel.done(nick, "draw", offer=number % 2 == 0)


@pytest.mark.parametrize("nick", ["zp", "jpleal"])
def test_the_ninth_offer_is_refused_and_does_not_lose_a_strict_match(duel: Pair, nick: str) -> None:
    offer_eight_times(duel, nick)
    assert duel.refused(nick, "draw", offer=True) == TOO_MANY
    assert duel.say(nick, "draw", offer=True)["hint"] == "roll, move or pass first"
    # what is wrong anyway is said first
    assert duel.refused(nick, "draw", offer=False)[0] == "no_offer"


def test_withdrawals_count_too(duel: Pair) -> None:
    duel.done("zp", "roll")
    offer_eight_times(duel, "zp")
    duel.done("zp", "pass")
    duel.done("zp", "draw", offer=True)
    for number in range(MAX_OFFERS - 1):
        duel.done("zp", "draw", offer=number % 2 == 1)
    assert duel.refused("zp", "draw", offer=True) == TOO_MANY


def test_only_the_seats_own_action_clears_its_count(duel: Pair) -> None:
    for nick in ("zp", "jpleal"):
        offer_eight_times(duel, nick)
    duel.done("zp", "roll")
    duel.done("zp", "draw", offer=True)
    assert duel.refused("jpleal", "draw", offer=False)[0] == "no_offer"
    duel.done("zp", "pass")
    duel.done("jpleal", "roll")
    assert duel.done("jpleal", "draw", offer=True)["result"]["reason"] == "agreed"


def test_an_offer_that_ends_the_game_is_always_accepted(duel: Pair) -> None:
    offer_eight_times(duel, "jpleal")
    duel.done("zp", "draw", offer=True)
    assert duel.done("jpleal", "draw", offer=True)["result"]["reason"] == "agreed"


def test_a_forced_action_of_the_server_clears_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(2,), red=(1,))
    referee = Referee()
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    game = referee.say(zp, "join", group=99, size=9)["game"]
    referee.say(jpleal, "join", group=99, size=9, auto=True)
    for number in range(MAX_OFFERS):
        assert referee.say(jpleal, "draw", game=game, offer=number % 2 == 0) == {}
    assert referee.refused(jpleal, "draw", game=game, offer=True) == TOO_MANY
    for cmd in ("roll", "pass"):
        assert referee.say(zp, cmd, game=game) == {}
    assert referee.match(game).moments[-1].event == "roll"
    assert referee.say(jpleal, "draw", game=game, offer=True) == {}


def test_the_count_survives_a_restart(duel: Pair) -> None:
    offer_eight_times(duel, "jpleal")
    other = duel.referee.revived()
    session = other.connect()
    refused = partial(other.refused, session, "draw", token=duel.tokens[1])
    assert refused(offer=True) == TOO_MANY
    assert other.say(other.connect(), "draw", token=duel.tokens[0], offer=True) == {}
    assert other.say(session, "draw", token=duel.tokens[1], offer=True) == {}


@pytest.fixture
def holding(monkeypatch: pytest.MonkeyPatch) -> Pair:
    """zp, to move, can take the piece on cell 25 to two cells, and has another one."""
    fix_throws(monkeypatch, blue=(3, 3), red=())
    duel = pair(Referee(), group=99, size=9, strict=True)
    duel.referee.place(duel.game, "B25 B12 R31")
    duel.done("zp", "roll")
    return duel


def select_and_release(duel: Pair, times: int) -> None:
    for _ in range(2 * times):
        duel.done("zp", "notify", cell=25)


def test_the_ninth_release_is_refused_and_names_the_destinations(holding: Pair) -> None:
    select_and_release(holding, MAX_RELEASES)
    holding.done("zp", "notify", cell=25)  # a selection never is
    refused: dict[str, Any] = holding.say("zp", "notify", cell=25)
    assert (refused["code"], refused["hint"]) == ("too_many_releases", "25 can go to 10 or 28")
    holding.refused("zp", "notify", cell=25)
    checked = holding.say("zp", "check", command="notify", cell=25)
    assert (checked["ok"], checked["reason_code"]) == (False, "too_many_releases")
    assert holding.done("zp", "notify", cell=28)["event"]["to"] == 28


def test_an_action_clears_the_count_of_releases(holding: Pair) -> None:
    select_and_release(holding, MAX_RELEASES)
    holding.done("zp", "notify", cell=12)
    assert holding.referee.match(holding.game).releases == (0, 0)


def play_until_a_piece_is_selected(duel: Pair) -> dict[str, Any]:
    """Play at random; the fields that select that piece come back."""
    luck = random.Random(3)
    while True:
        state = duel.say("zp", "state")["update"]
        choices = duel.say("zp", "moves")
        action = luck.choice(choices["actions"])
        move = luck.choice(choices["moves"]) if action == "notify" else {}
        fields = {"cell": move["cell"]} if move else {}
        assert duel.say(state["turn"], action, **fields) == {}
        if duel.say("zp", "state")["update"]["step"] == "to":
            return fields


def test_a_match_of_an_older_server_that_has_more_is_restored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    duel = pair(Referee(), group=99, size=9, strict=True)
    fields = play_until_a_piece_is_selected(duel)
    match = duel.referee.match(duel.game)
    nick, other_seat = match.nicks[match.state.turn], 1 - match.state.turn
    with monkeypatch.context() as older:
        older.setattr("tabnet.server.core.matches.turn_limits.MAX_RELEASES", 50)
        older.setattr("tabnet.server.core.matches.turn_limits.MAX_OFFERS", 50)
        for _ in range(40):
            assert duel.say(nick, "notify", **fields) == {}
        for number in range(20):
            assert duel.say(match.nicks[other_seat], "draw", offer=number % 2 == 0) == {}
    other = duel.referee.revived()
    restored = other.match(duel.game)
    assert (restored.releases[1 - other_seat], restored.draw_commands[other_seat]) == (20, 20)
    session, token = other.connect(), duel.tokens[1 - other_seat]
    assert other.refused(session, "notify", token=token, **fields)[0] == "too_many_releases"
    token = duel.tokens[other_seat]
    assert other.refused(session, "draw", token=token, offer=True) == TOO_MANY
