"""Paths, bodies and tokens, without a server."""

from __future__ import annotations

import json

import pytest

from tabnet.dialects.plakoto_rest.handlers import find_handlers
from tabnet.dialects.plakoto_rest.requests import Fields, RoomPath, is_own, parse_path
from tabnet.dialects.web.http_request import HttpRequest
from tabnet.errors import TabnetError


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/plakoto/board", RoomPath("main", "board")),
        ("/plakoto/main/board", RoomPath("main", "board")),
        ("/plakoto/club/board/", RoomPath("club", "board")),
        ("/plakoto/tavli.php/board", RoomPath("main", "board")),
        ("/plakoto/club/x/tavli.php/board", None),
        ("/plakoto/club/tavli.php/board", RoomPath("club", "board")),
        ("/plakoto/a.php/club/b.php/board/c.php/piece/3/4", RoomPath("club", "piece", 3, 4)),
        ("/plakoto//status", RoomPath("main", "status")),
        ("/plakoto/players", RoomPath("main", "players")),
        ("/plakoto/players/W", RoomPath("main", "player", seat=0)),
        ("/plakoto/-_9Z/players/B", RoomPath("-_9Z", "player", seat=1)),
        ("/plakoto/" + 32 * "a" + "/status", RoomPath(32 * "a", "status")),
        ("/plakoto/" + 33 * "a" + "/status", None),
        ("/plakoto/main/board/piece/24/16", RoomPath("main", "piece", 24, 16)),
        ("/plakoto/board/piece/25/1", None),
        ("/plakoto/board/piece/1/17", None),
        ("/plakoto/board/piece/0/1", None),
        ("/plakoto/board/piece/1/0", None),
        ("/plakoto/board/piece/01/1", None),
        ("/plakoto/board/piece/1", None),
        ("/plakoto/board/piece/1/1/1", None),
        ("/plakoto/board/piece/x/y", None),
        ("/plakoto/board/piece/²/1", None),
        ("/plakoto/players/w", None),
        ("/plakoto/status/board", None),
        ("/plakoto/board/board", None),
        ("/plakoto/club", None),
        ("/plakoto/club/status.php", None),
        ("/plakoto/players/status", None),
        ("/plakoto/a%20b/status", None),
        ("/plakoto/Ω/status", None),
        ("/plakoto/x\n/status", None),
        ("/plakoto", None),
    ],
)
def test_a_path_names_a_room_and_a_resource(path, place):
    assert parse_path(path) == place
    assert bool(find_handlers(path)) == (place is not None)


def test_the_paths_of_the_dialect_are_those_under_its_prefix():
    assert [is_own(path) for path in ("/plakoto", "/plakoto/x", "/plakotox", "/v1")] == [
        *(True, True),
        *(False, False),
    ]


def fields(body=b"", **headers):
    return Fields.of(HttpRequest("PUT", "/plakoto/players/W", headers, body))


def given(**values):
    return fields(json.dumps(values).encode())


def refused(act):
    with pytest.raises(TabnetError) as error:
        act()
    return error.value.text


def test_a_token_is_in_the_header_or_in_the_body():
    assert given(token="t").token == "t"
    assert fields(b'{"token":"b"}', **{"x-token": "h"}).token == "h"
    assert fields(**{"x-token": "h"}).token == "h"
    for absent in ("", "null", "undefined"):
        assert fields(b'{"token":"b"}', **{"x-token": absent}).token is None
        assert given(token=absent).token is None
    assert given(token=None).token is None
    assert fields(b" \n").token is None
    assert refused(lambda: given(token=7)) == "token is not a string."


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"hello", "this is not JSON: "),
        (b"\xff", "this is not JSON: "),
        (b"[1]", "the body is not a JSON object"),
        (b'{"a":1,"a":2}', "a is given twice"),
        (b'{"a":' + b"[" * 17, "JSON may be nested"),
    ],
)
def test_a_body_is_a_json_object(body, text):
    assert refused(lambda: fields(body)).startswith(text)


def test_a_username_has_printable_characters():
    assert given(username="  Αλέξανδρος <3 ").username() == "Αλέξανδρος <3"
    for empty in (given(), given(username=None), given(username=" ")):
        assert refused(empty.username) == "No username given."
    assert refused(given(username=7).username) == "username is not a string."
    for name in ("x" * 33, "a\x00b", "a\u202eb"):
        text = "A username has 1 to 32 printable characters."
        assert refused(given(username=name).username) == text


def test_a_colour_in_the_body_is_the_one_in_the_path():
    for values in ({}, {"color": "W"}, {"piece_color": "W"}, {"color": None}):
        given(**values).require_colour("W")
    text = refused(lambda: given(color="B").require_colour("W"))
    assert text == "color is 'B', but the path names player W."
    text = refused(lambda: given(piece_color=["W"]).require_colour("W"))
    assert text.startswith("piece_color is '[")


def test_a_bot_is_asked_for_by_true():
    assert [given().is_bot(), given(bot=False).is_bot(), given(bot=True).is_bot()] == [
        *(False, False),
        True,
    ]
    assert refused(given(bot=1).is_bot) == "bot is not true or false."


def test_a_destination_is_a_number_or_digits():
    for value, point in ((7, 7), ("7", 7), ("07", 7), (25, 25), (0, 0), ("0", 0)):
        assert given(x=value).destination() == point
    assert refused(given().destination) == refused(given(x=None).destination) == "No x given."
    for value in (26, -1, 7.0, True, "x", "", "²", "0007", [7]):
        assert refused(given(x=value).destination).startswith("This move is illegal. x is a point")
