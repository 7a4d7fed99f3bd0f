"""Bytes that are no requests, and too many of them: nobody else notices."""

from __future__ import annotations

import json
import logging
from contextlib import suppress

import pytest
import trio

from tabnet.protocol.codec import MAX_DEPTH
from tabnet.protocol.line_splitter import MAX_LINE
from tabnet.server.core.costs.limits import Limits
from tabnet.server.net import connection
from tests.dialects.fish_actions.clients import connect, fish_server, join
from tests.server.net.test_accepted_sockets import read_all

FLOOD = 5_000
UNLIMITED = Limits(commands_per_s=10**6)
TLS_HELLO = bytes.fromhex("16030100c8010000c40303")
REQUEST = b'{"action":"check_turn","user_token":"%b"}'


@pytest.fixture(autouse=True)
def no_errors(caplog):
    """The server logs no error, whatever comes."""
    yield
    assert [each.message for each in caplog.records if each.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(
    "data",
    [
        b'{"action":"\xff"}',
        b'{"action":"\xed\xa0\x80"}',
        b'{"action":"get_state",}',
        b"{'action':'get_state'}",
        b'{"action":NaN}',
        b'{"action"}',
        b"{]",
        b"[]",
        b'"get_state"',
        b"null",
        b"\0",
        b"\xef\xbb\xbf{}",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        TLS_HELLO,
        b'{"action":"%b"}' % (b"x" * MAX_LINE),
        b'{"action":"' + b"x" * (MAX_LINE + 1),
        b'{"action":' + b"[" * MAX_DEPTH,
        b'{"a":' * 10_000,
    ],
    ids=lambda data: repr(data[:20]),
)
async def test_the_error_of_anything_else_than_requests_is_the_last_response(data):
    async with fish_server() as server:
        (red,) = await join(server, 1)
        client = await connect(server)
        await client.stream.send_all(REQUEST % b"none" + data + REQUEST % b"none")
        first, last = (await read_all(client.stream)).splitlines()
        assert json.loads(first)["error_type"] == "Incorrect_Token"
        assert json.loads(last)["error_type"] == "Tournament_Error"
        assert await red.ask("is_game_over") == {"is_game_over": False}


async def test_the_longest_and_the_deepest_request_are_executed():
    async with fish_server() as server:
        (red,) = await join(server, 1)
        begin = b'{"action":"is_game_over","user_token":"%b","x":' % red.token.encode()
        for value in (
            b'"%b"' % (b"x" * (MAX_LINE - len(begin) - 3)),
            b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1),
        ):
            await red.stream.send_all(begin + value + b"}")
            assert await red.receive() == {"is_game_over": False}


@pytest.mark.parametrize("data", [TLS_HELLO + b"x" * 300, b"\x16" + REQUEST, b"\x16" * 70_000])
async def test_bytes_that_begin_like_tls_get_no_response_of_fish(data):
    async with fish_server() as server:
        client = await connect(server, "tls")
        with suppress(trio.BrokenResourceError):
            await client.stream.send_all(data)
            await client.stream.send_eof()
        assert b"error_type" not in await read_all(client.stream)
        assert await join(server, 2)


async def test_a_native_client_without_tls_gets_an_error_of_fish():
    async with fish_server() as server:
        client = await connect(server, "tls")
        await client.stream.send_all(b'{"cmd":"ping"}\n')
        response = await client.receive()
        assert response["error_type"] == "Unknown_Action"


async def test_too_many_requests_in_a_second_end_the_connection():
    async with fish_server(limits=Limits(commands_per_s=100)) as server:
        red, white = await join(server, 2)
        client = await connect(server)
        await client.stream.send_all(REQUEST % red.token.encode() * 1000)
        *answered, last = map(json.loads, (await read_all(client.stream)).splitlines())
        assert 100 <= len(answered) < 1000
        assert all(each == {"color": "red"} for each in answered)
        assert last == {
            "error_type": "Tournament_Error",
            "error_message": "a connection may send 100 commands a second at most",
        }
        assert await white.ask("check_turn") == {"color": "red"}


async def test_a_flood_of_requests_delays_nobody():
    async with fish_server(limits=UNLIMITED) as server:
        (red, white), flood = await join(server, 2), await connect(server)
        requests = REQUEST % red.token.encode() * FLOOD
        missing, answered = FLOOD, 0
        async with trio.open_nursery() as nursery:
            nursery.start_soon(flood.stream.send_all, requests)

            async def receive():
                nonlocal missing
                while missing:
                    assert await flood.receive() == {"color": "red"}
                    missing -= 1

            nursery.start_soon(receive)
            while missing:
                assert await white.ask("check_turn") == {"color": "red"}
                answered += 1
        assert answered > 100


async def test_a_client_that_reads_no_responses_is_disconnected(monkeypatch):
    monkeypatch.setattr(connection, "MAX_QUEUED", 100_000)
    async with fish_server(limits=UNLIMITED) as server:
        (red, _), client = await join(server, 2), await connect(server)
        request = b'{"action":"get_state","user_token":"%b"}' % red.token.encode()
        with suppress(trio.BrokenResourceError):
            for _ in range(1000):
                await client.stream.send_all(request * 100)
            pytest.fail("the server has taken 100 000 requests")
        assert "result_state" in await red.place(0, 0)
