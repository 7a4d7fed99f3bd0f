"""Refusals in the words of the dialect, without a server."""

from __future__ import annotations

import json

import pytest

from tabnet.dialects.plakoto_rest.board import Boards
from tabnet.dialects.plakoto_rest.requests import RoomPath
from tabnet.dialects.plakoto_rest.responses import refusal, refused
from tabnet.dialects.plakoto_rest.room_request import RestRooms, RoomRequest
from tabnet.dialects.web.http_request import HttpRequest
from tabnet.protocol.frames import Failed, Reply
from tabnet.server.core.rooms.room_commands import CloseRoom
from tests.dialects.plakoto_rest.rest import TERMS

TOKEN = "0" * 32


def failed(code, error="no", **fields):
    return Failed(cmd="notify", error=error, code=code, **fields)


@pytest.mark.parametrize(
    ("frame", "token", "text"),
    [
        (failed("bad_token"), None, "token is not set."),
        (failed("bad_token"), TOKEN, "You are not a player of this game."),
        (failed("unknown_game"), TOKEN, "You are not a player of this game."),
        (failed("waiting"), TOKEN, "Game is not in action."),
        (failed("game_over"), TOKEN, "Game is not in action."),
        (failed("not_your_turn"), TOKEN, "It is not your turn."),
        (failed("room_full"), None, "Player B is already set. Please select another color."),
        (failed("closed_point", "10 is held"), TOKEN, "This move is illegal. 10 is held."),
        (failed("busy", "try later", hint="one of: x"), None, "Try later (one of: x)."),
        (failed("stopping", "the server stops"), None, "The server stops."),
    ],
)
def test_a_refusal_of_the_server_has_the_text_of_the_dialect(frame, token, text):
    error = refusal(frame, "B", token)
    assert (error.code, error.text) == (frame.code, text)
    response = refused(error)
    assert response.status == 400
    assert json.loads(response.body) == {"errormesg": text}


def test_a_refusal_says_when_to_try_again():
    response = refused(refusal(failed("too_many_waits", retry_after=60), "W", None))
    assert ("Retry-After", "60") in response.headers
    assert response.status == 400


def test_a_reply_without_a_game_is_a_fault_of_the_server():
    rooms = RestRooms(TERMS, {}.get, int, Boards())
    request = RoomRequest(rooms, RoomPath("main", "board"), HttpRequest("GET", "/", {}))
    steps = request.show(CloseRoom(room="plakoto:main"))
    assert next(steps) == CloseRoom(room="plakoto:main")
    with pytest.raises(TypeError, match="does not show a game"):
        steps.send(Reply(cmd="leave"))
