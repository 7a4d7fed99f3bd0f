"""Ports whose dialect is lines execute nothing that a web page sends to them."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
import trio

from tabnet.server.core.service import Service
from tests.harness import Talker, running

COMMAND = b'{"cmd":"join","group":1,"size":7}\n'
BYE = {
    "type": "bye",
    "reason": "this port takes lines, not HTTP or TLS: web pages have a port of their own",
    "code": "web_request",
}
FORM = b"POST / HTTP/1.1\r\nHost: 127.0.0.1:45679\r\nContent-Type: text/plain\r\n\r\n" + COMMAND
PORTS = ("connect", "connect_tls")


@pytest.fixture
def executed(monkeypatch):
    """The commands that the service executes."""
    commands = []
    handle = Service.handle

    def recording(service, session, command, *rest):
        commands.append(command.cmd)
        return handle(service, session, command, *rest)

    monkeypatch.setattr(Service, "handle", recording)
    return commands


async def frames_until_closed(talker):
    """The frames that the server sends until it closes the connection."""
    frames = []
    with suppress(trio.BrokenResourceError):
        while line := await talker.receive_line():
            frames.append(json.loads(line))
    return frames


@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize(
    "request_bytes",
    [
        FORM,
        b"\r\n\n" + FORM,
        b"get /\n" + COMMAND,
        b"GET / HTT\n" + COMMAND,
        b"\x16\x03\x01\x00\xc8" + b"ticket" + b"\n" + COMMAND,
    ],
)
async def test_no_part_of_a_request_is_executed(port, request_bytes, executed):
    async with running() as server:
        talker = await getattr(server, port)()
        await talker.stream.send_all(request_bytes)
        assert await frames_until_closed(talker) in ([BYE], [])
    assert executed == []


@pytest.mark.parametrize("port", PORTS)
async def test_a_request_in_pieces_is_recognised(port, executed):
    async with running() as server:
        talker = await getattr(server, port)()
        head, _, body = FORM.partition(b"\r\n")
        for byte in head:
            await talker.stream.send_all(bytes([byte]))
        await talker.stream.send_all(b"\r\n")
        assert await talker.receive() == BYE
        with suppress(trio.BrokenResourceError):
            await talker.stream.send_all(body)
        assert await frames_until_closed(talker) == []
    assert executed == []


async def test_a_request_that_ends_within_its_first_line_executes_nothing():
    async with running() as server:
        stream = await server.dial()
        await stream.send_all(b"GET / HTT")
        await stream.send_eof()
        assert [frame["type"] for frame in await frames_until_closed(Talker(stream))] == ["hello"]


async def test_only_the_first_line_is_compared_with_http(executed):
    async with running() as server:
        talker = await server.connect()
        assert "error" not in await talker.ask(cmd="join", group=1, size=7)
        await talker.send_line(b"GET / HTTP/1.1")
        assert (await talker.receive())["code"] == "not_json"
        assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}
    assert executed == ["join", "ping"]
