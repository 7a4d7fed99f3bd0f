"""Bytes that are no requests, and too many of them: nobody else notices."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress

import pytest
import trio

from tabnet.dialects.draughts_text.requests import LINE_BYTES
from tabnet.server.core.costs.limits import Limits
from tabnet.server.net import connection
from tests.dialects.draughts_text.clients import connect, room, serving

TLS_HELLO = bytes.fromhex("16030100c8010000c40303")
HTTP = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
FLOOD = 5_000
UNLIMITED = Limits(commands_per_s=10**6)
TOO_LONG = "INVALID_SYNTAX - a line has at most 1024 bytes"


@pytest.fixture(autouse=True)
def no_errors(caplog):
    """The server logs no error, whatever comes."""
    yield
    assert [each.message for each in caplog.records if each.levelno >= logging.WARNING] == []


async def read_all(client):
    """Return the lines until the server closes the connection."""
    lines = []
    with suppress(trio.BrokenResourceError):  # the server closes before it has read everything
        while line := await client.receive():
            lines.append(line)
    return lines


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\0",
        b"\x1b[2J",
        b"MOVE\xa0a3 b4",
        b"x" * LINE_BYTES,
        b'{"cmd":"ping"}',
        HTTP.splitlines()[0],
        TLS_HELLO,
    ],
)
async def test_a_line_that_is_no_request_is_refused_and_the_connection_goes_on(line):
    async with serving() as server:
        client = await connect(server)
        await client.send(b"QUITE\n" + line + b"\n")
        for _ in range(2):
            response = await client.receive()
            assert response.startswith("INVALID_SYNTAX - ")
            assert response.isprintable()
        assert await client.code("CREATE") == "ROOM_CREATED"
        assert (await client.ask("MOVE " + "\xff" * 400)).startswith("MOVE_FAIL - ")


@pytest.mark.parametrize(
    "first", [HTTP, b"\r\n" + HTTP, TLS_HELLO + b"\n", b"POST CREATE HTTP/1.1\n"]
)
async def test_a_first_line_of_http_or_tls_closes_the_connection(first):
    async with serving() as server:
        client = await connect(server)
        await client.send(first + b"CREATE\n" * 3)
        (line,) = await read_all(client)
        assert line.startswith("INVALID_SYNTAX - ")
        assert server.hub.service.games.lobby.tables == {}


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\nLEAVE\n"])
async def test_a_longer_line_is_the_last_one(end):
    async with serving() as server:
        white, black, _ = await room(server)
        await white.send(b"MOVE c3 d4\nMOVE " + b"x" * LINE_BYTES + end)
        assert await read_all(white) == ["MOVE_OK", TOO_LONG]
        while (await black.values())["WHITE_ONLINE"] == "TRUE":
            pass  # the server has not noticed yet


async def test_a_line_without_end_is_never_kept():
    async with serving() as server:
        client = await connect(server)
        with suppress(trio.BrokenResourceError):
            for _ in range(1000):
                await client.send(b"x" * 100_000)
            pytest.fail("the server has taken 100 MB")
        assert await (await connect(server)).code("CREATE") == "ROOM_CREATED"


async def test_half_a_line_and_silence_delay_nobody():
    async with serving() as server:
        white, black, _ = await room(server)
        silent = await connect(server)
        await silent.send(b"CREA")
        await white.play("c3 d4")
        assert (await black.values())["PLAYER_TURN"] == "BLACK"
        await silent.send(b"TE\n")
        assert (await silent.receive()).startswith("ROOM_CREATED")


async def test_too_many_requests_at_once_end_the_connection():
    async with serving(limits=Limits(commands_per_s=100)) as server:
        white, black, _ = await room(server)
        answered = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(send_until_closed, white, b"GET_STATE\n" * FLOOD)
            answered += await read_all(white)
        *states, last = answered
        assert 90 <= len(states) < FLOOD  # the player has sent CREATE or JOIN before
        assert {line.split(" ")[0] for line in states} == {"STATUS_OK"}
        assert last == "INVALID_SYNTAX - a connection may send 100 commands a second at most"
        assert (await black.values())["STATE"] == "PLAYING"


async def test_a_flood_of_requests_delays_nobody():
    async with serving(limits=UNLIMITED) as server:
        (white, black, _), flood = await room(server), await connect(server)
        polls, refused = 0, 0
        async with trio.open_nursery() as nursery:
            nursery.start_soon(send_until_closed, flood, b"NO\n" * FLOOD + b"QUIT\n")

            async def count_refusals():
                nonlocal refused
                refused = len(await read_all(flood))
                nursery.cancel_scope.cancel()

            nursery.start_soon(count_refusals)
            while True:
                assert (await black.values())["STATE"] == "PLAYING"
                polls += 1
        assert refused == FLOOD
        assert polls > 100
        await white.play("c3 d4")


async def send_until_closed(client, data):
    """Send the data, unless the server closes the connection before its end."""
    with suppress(trio.BrokenResourceError):
        await client.send(data)


async def test_a_client_that_reads_no_responses_is_disconnected(monkeypatch):
    monkeypatch.setattr(connection, "MAX_QUEUED", 100_000)
    async with serving(limits=UNLIMITED) as server:
        white, black, _ = await room(server)
        white.stream.transport_stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with suppress(trio.BrokenResourceError):
            for _ in range(1000):
                await white.send(b"GET_STATE\n" * 1000)
            pytest.fail("the server has taken a million requests")
        while (await black.values())["WHITE_ONLINE"] == "TRUE":
            pass  # the server has not noticed yet


@pytest.mark.parametrize("data", [b"CREATE\n", b"\x15\x03\x01", HTTP, TLS_HELLO + b"x" * 300])
async def test_plain_bytes_on_the_port_of_tls_get_no_response_of_the_dialect(data):
    async with serving() as server:
        stream = await server.dial("draughts")
        await stream.send_all(data)
        await stream.send_eof()
        received = b""
        with suppress(trio.BrokenResourceError):
            while more := await stream.receive_some():
                received += more
        assert not any(word in received for word in (b"ROOM", b"INVALID"))
        assert await (await connect(server)).code("CREATE") == "ROOM_CREATED"
