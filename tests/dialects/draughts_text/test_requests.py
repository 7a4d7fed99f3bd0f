"""Requests of draughts in text lines: lines of any form, and the requests that they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.dialects.draughts_text.requests import (
    INSIDE,
    LINE_BYTES,
    OUTSIDE,
    TextLines,
    TextRequest,
    read_request,
)
from tabnet.errors import WireError

ROOM = "550e8400-e29b-41d4-a716-446655440000"


def lines_of(*pieces):
    lines = TextLines()
    return [line for piece in pieces for line in lines.feed(piece)]


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_a_line_ends_with_lf_cr_or_crlf(end):
    assert lines_of(b"LEAVE" + end + b"QUIT" + end) == [b"LEAVE", b"QUIT"]


def test_empty_lines_are_ignored():
    assert lines_of(b"\n\r\r\n   \n \r\nLEAVE\n\n") == [b"LEAVE"]


@given(st.lists(st.sampled_from([b"CREATE", b"MOVE a3 b4", b"\n", b"\r", b"\r\n"]), max_size=20))
def test_pieces_do_not_matter(parts):
    data = b"".join(parts)
    assert lines_of(*(data[at : at + 1] for at in range(len(data)))) == lines_of(data)


def test_a_line_has_at_most_1024_bytes():
    longest = b"x" * LINE_BYTES
    assert lines_of(longest + b"\n", longest, b"\r\n") == [longest, longest]


@pytest.mark.parametrize("data", [b"x" * 1025, b"x" * 1025 + b"\n", b" " * 2000])
def test_a_longer_line_is_refused_after_the_lines_before_it(data):
    lines = TextLines()
    found = lines.feed(b"LEAVE\n" + data)
    assert next(found) == b"LEAVE"
    with pytest.raises(WireError, match="at most 1024 bytes"):
        next(found)


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        (b"CREATE", TextRequest("CREATE")),
        (b"CREATE greedy", TextRequest("CREATE", ("greedy",))),
        (b"  JOIN   %b %b " % (ROOM.encode(), ROOM.upper().encode()), None),
        (b"QUIT", TextRequest("QUIT")),
    ],
)
def test_requests_outside_a_room(line, request_):
    expected = request_ or TextRequest("JOIN", (ROOM, ROOM.upper()))
    assert read_request(line, in_room=False) == expected


@pytest.mark.parametrize(
    "line",
    ["GET_STATE", "MOVE", "MOVE a3 b4", "LEAVE", "REQUEST_A_DRAW", "CANCEL_DRAW_REQUEST", "QUIT"],
)
def test_requests_in_a_room(line):
    name, *arguments = line.split()
    assert read_request(line.encode(), in_room=True) == TextRequest(name, tuple(arguments))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"GET_STATE", "please join or create room"),
        (b"MOVE a3 b4", "please join or create room"),
        (b"create", "the requests here are CREATE, JOIN, QUIT"),
        (b"JOIN\ta b", "the requests here are CREATE, JOIN, QUIT"),
        (b"\xff\xfe", "the requests here are CREATE, JOIN, QUIT"),
        (b"CREATE greedy random", "CREATE takes one argument at most: the name of a house bot"),
        (b"QUIT now", "QUIT takes no arguments"),
        (b"JOIN", "JOIN takes the id of the room and the id of the colour"),
        (b"JOIN %b" % ROOM.encode(), "JOIN takes the id of the room and the id of the colour"),
        (b"JOIN %b x" % ROOM.encode(), "an id is a UUID, like .*"),
        (b"JOIN %b {%b}" % ((ROOM.encode(),) * 2), "an id is a UUID, like .*"),
        (b"JOIN %b %b" % ((ROOM.replace("-", "").encode(),) * 2), "an id is a UUID, like .*"),
    ],
)
def test_invalid_lines_outside_a_room_are_refused_with_the_reason(line, reason):
    with pytest.raises(WireError) as refused:
        read_request(line, in_room=False)
    assert refused.match(f"^{reason}$")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"CREATE", "please leave the room first"),
        (b"JOIN x", "please leave the room first"),
        (b"GET_STATE x", "GET_STATE takes no arguments"),
        (b"LEAVE now", "LEAVE takes no arguments"),
        (b"REQUEST_A_DRAW please", "REQUEST_A_DRAW takes no arguments"),
        (b"RESIGN", "the requests here are GET_STATE, MOVE, LEAVE, .*"),
    ],
)
def test_invalid_lines_in_a_room_are_refused_with_the_reason(line, reason):
    with pytest.raises(WireError) as refused:
        read_request(line, in_room=True)
    assert refused.match(f"^{reason}$")


@given(st.binary(max_size=40).map(lambda rest: rest.replace(b"\n", b"").replace(b"\r", b"")))
def test_every_move_in_a_room_is_a_request(rest):
    assert read_request(b"MOVE " + rest, in_room=True).name == "MOVE"


@given(st.binary(min_size=1, max_size=60), st.booleans())
def test_arbitrary_bytes_are_a_request_or_refused(data, in_room):
    for line in lines_of(data + b"\n"):
        try:
            request = read_request(line, in_room=in_room)
        except WireError:
            continue
        assert request.name in (INSIDE if in_room else OUTSIDE)
