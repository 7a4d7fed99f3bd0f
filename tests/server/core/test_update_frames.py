"""The fields of updates over whole games; an update is always the same bytes."""

from __future__ import annotations

import random

import pytest

from tabnet.protocol.codec import encode
from tabnet.server.core import update_frames as made
from tests.server.pure import Pair, Referee, pair, play_out

SIZES = [7, 9, 15]


@pytest.fixture(scope="module", params=SIZES)
def played(request: pytest.FixtureRequest) -> tuple[Pair, list[bytes]]:
    """A whole game, and every line its watcher was sent."""
    duel = pair(Referee(f"game {request.param}"), group=99, size=request.param)
    return duel, play_out(duel, random.Random(request.param))


def test_all_followers_are_sent_the_same_bytes(played: tuple[Pair, list[bytes]]) -> None:
    duel, lines = played
    assert duel.referee.lines[duel.zp] == lines[1:]
    assert duel.referee.lines[duel.jpleal] == lines[1:]


def test_an_update_made_later_is_the_same_bytes(played: tuple[Pair, list[bytes]]) -> None:
    duel, lines = played
    match = duel.referee.match(duel.game)
    assert [encode(made.make_update(match, seq)) for seq in range(1, match.seq + 1)] == lines


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
