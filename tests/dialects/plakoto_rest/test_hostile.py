"""Clients that send nonsense, too much, or half a request get errors, and harm nobody else."""

from __future__ import annotations

import logging
from contextlib import suppress

import pytest
import trio
from trio.testing import memory_stream_pair

from tabnet.dialects.web.http_parser import REQUEST_S, HttpExchange
from tabnet.dialects.web.http_responder import HttpConnection
from tabnet.server.core.costs import byte_budget
from tabnet.server.core.costs.limits import Limits
from tests.dialects.plakoto_rest.rest import Client, seated, visit
from tests.dialects.web.raw import Wire
from tests.harness import running

HEAD = b"PUT /plakoto/players/W HTTP/1.1\r\nHost: localhost\r\n"
STATUS = b"GET /plakoto/status/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
TLS_HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(200)


@pytest.fixture(autouse=True)
def no_traceback(caplog):
    """Fail if the server logs a warning or an error."""
    yield
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_token_and_a_path_of_any_bytes_are_refused():
    async with running() as server:
        white, _ = await seated(server)
        stranger = Client(white.wire, white.prefix, "\u00e9\u00ff")
        text = "You are not a player of this game."
        assert await stranger.refused("PUT", "/board/piece/1/15", x=2) == text
        for path in ("%ff", "%00", "..", "board/piece/%31/1", "players/W%20"):
            await white.refused("GET", f"/{path}/", status=404)


@pytest.mark.parametrize(
    "head", [b"Content-Length: 999999999999\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"]
)
@pytest.mark.slow
async def test_a_body_without_an_end_is_refused_when_it_is_too_long(head):
    async with running() as server, trio.open_nursery() as nursery:
        wire = (await visit(server)).wire
        await wire.stream.send_all(HEAD + head)
        nursery.start_soon(send_again_and_again, wire.stream, b"8000\r\n" + bytes(0x8000) + b"\r\n")
        response = await wire.response()
        assert (response.status, list(response.json)) == (400, ["errormesg"])
        await (await visit(server)).sit_down("W", "Anna")
        assert await wire.closed()


async def test_half_a_request_ends_with_an_error_after_a_while(autojump_clock):
    client, transport = memory_stream_pair()
    transport.receive = transport.receive_some
    exchange = HttpExchange(transport, 100, lambda _: ())
    await client.send_all(HEAD + b"Content-Length: 20\r\n\r\n{")
    response = await exchange.receive_request()
    assert trio.current_time() == pytest.approx(REQUEST_S)
    assert response.status == 400
    assert b'"errormesg"' in response.body


async def test_a_request_of_tls_on_the_plain_port_and_the_reverse_are_refused():
    async with running() as server:
        plain = await server.dial("http")
        await plain.send_all(TLS_HELLO)
        assert (await Wire(plain).response()).status == 400
        secure = await server.dial("https")
        await secure.send_all(STATUS)
        with suppress(trio.BrokenResourceError):
            assert not (await secure.receive_some()).startswith(b"HTTP")
        assert (await (await visit(server)).status())["status"] == "not active"


@pytest.mark.parametrize("room", ["empty", "taken"])
async def test_requests_that_are_sent_all_at_once_end_with_a_refusal(room):
    async with running(limits=Limits(commands_per_s=100)) as server:
        await (await visit(server, "taken")).sit_down("W", "Anna")
        client = await visit(server, room)
        request = STATUS.replace(b"/status", f"/{room}/status".encode())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(send_again_and_again, client.wire.stream, request * 1000)
            statuses = [(await client.wire.response()).status]
            while statuses[-1] == 200:
                statuses.append((await client.wire.response()).status)
            assert statuses[-1] == 400
            assert 100 <= len(statuses) < 1000
            assert await client.wire.closed()
        assert (await (await visit(server, "taken")).status())["status"] == "initialized"


async def send_again_and_again(stream, data):
    """Send data until the server closes the connection."""
    with suppress(trio.BrokenResourceError):
        while True:
            await stream.send_all(data)


@pytest.mark.parametrize("is_taken", [False, True])
async def test_the_response_after_too_many_bytes_waits(monkeypatch, is_taken):
    waits, has_waited = [], []

    async def wait_for_turn(connection):
        await trio.lowlevel.checkpoint()
        waits.append(connection)

    monkeypatch.setattr(HttpConnection, "wait_for_turn", wait_for_turn)
    monkeypatch.setattr(byte_budget, "SESSION_BURST", 100_000)
    async with running() as server:
        if is_taken:
            await (await visit(server)).sit_down("W", "Anna")
        client = await visit(server)
        for _ in range(6):
            await client.get("/board/")
            has_waited.append(bool(waits))
    assert has_waited == [False] * 5 + [True]
