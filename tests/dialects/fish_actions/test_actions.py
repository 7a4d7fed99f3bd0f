"""Requests and responses of Fish clients that no game has led to."""

from __future__ import annotations

import pytest

from tabnet.dialects.fish_actions.actions import FishRequest, is_tournament_id, respond
from tabnet.protocol.frames import Bye, Failed
from tabnet.server.core.rooms.room_commands import Seen
from tests.dialects.fish_actions.clients import fish_server, join


def test_the_last_response_of_a_server_that_stops_is_an_error():
    request = FishRequest("check_turn", {}, None)
    bye = Bye(reason="the server stops", code="stopping")
    assert respond(request, bye) == {
        "error_type": "Tournament_Error",
        "error_message": "the server stops",
    }


async def test_a_request_just_before_the_game_began_costs_nothing():
    async with fish_server() as server:
        await join(server, 2)
        (match,) = server.hub.service.games.playing.values()
    seen = Seen(cmd="state", game=match, seat=0, seq=match.seq, online={}, now=0)
    waiting = Failed(cmd="notify", error="the game has not begun", code="waiting")
    assert respond(FishRequest("place_penguin", {}, None), seen, waiting) == {
        "error_type": "Tournament_Error",
        "error_message": "the game has not begun",
    }


@pytest.mark.parametrize(
    ("text", "is_id"),
    [("a", True), ("x" * 64, True), ("\u00e9 \u732b", True), ("", False), ("x" * 65, False)]
    + [(text, False) for text in ("a\nb", "\0", "\x7f", "\u200b", "\ud800")],
)
def test_an_id_has_1_to_64_printable_characters(text, is_id):
    assert is_tournament_id(text) is is_id
