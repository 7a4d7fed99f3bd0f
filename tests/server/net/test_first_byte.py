"""A port with TLS and a plain dialect: the first byte of a client decides between them."""

from __future__ import annotations

import trio

from tabnet.dialects.json_lines import JsonLines
from tabnet.server.core.costs.limits import Limits
from tabnet.server.net import accepted_sockets
from tabnet.server.net.ports import PortSettings
from tests.harness import Talker, running
from tests.polling import until_async
from tests.server.net.test_accepted_sockets import read_all, reset, still_serves

BOTH = PortSettings("tls", "127.0.0.1", 0, JsonLines, is_tls=True, plain_dialect=JsonLines)
PING = {"type": "reply", "cmd": "ping"}


async def test_tls_and_plain_clients_share_a_port():
    async with running(more_ports=[BOTH]) as server:
        secure = await server.connect_tls()
        plain = Talker(await server.dial("tls"))
        await plain.send(cmd="ping")
        assert (await plain.receive())["type"] == "hello"
        assert await plain.receive() == PING
        assert await plain.ask(cmd="ping") == await secure.ask(cmd="ping") == PING


async def test_the_server_sends_nothing_before_the_first_byte():
    async with running(more_ports=[BOTH]) as server:
        silent = await server.dial("tls")
        await still_serves(server)
        await silent.send_eof()
        assert await read_all(silent) == b""


async def test_a_client_without_a_first_byte_is_disconnected(monkeypatch):
    monkeypatch.setattr(accepted_sockets, "FIRST_BYTE_S", 0.05)
    async with running(more_ports=[BOTH]) as server:
        silent = await server.dial("tls")
        assert await read_all(silent) == b""
        await still_serves(server)


async def test_a_handshake_has_its_own_time_after_the_first_byte(monkeypatch):
    monkeypatch.setattr(accepted_sockets, "HANDSHAKE_S", 0.05)
    async with running(more_ports=[BOTH]) as server:
        halting = await server.dial("tls")
        await halting.send_all(b"\x16")
        assert await read_all(halting) == b""


async def test_a_client_without_a_first_byte_counts_as_a_connection():
    async with running(limits=Limits(per_address=1), more_ports=[BOTH]) as server:
        silent = await server.dial("tls")
        await until_async(lambda: server.hub.connection_counts.total == 1)
        second = await server.dial("tls")
        assert await read_all(second) == b""
        await reset(silent)
        await until_async(lambda: server.hub.connection_counts.total == 0)
        await still_serves(server)


async def test_plain_bytes_on_a_port_with_tls_alone_begin_no_dialect():
    async with running() as server:
        stream = await server.dial("tls")
        await stream.send_all(b'{"cmd":"ping"}\n')
        assert b"hello" not in await read_all(stream)


async def test_a_stopping_server_closes_silent_clients():
    async with running(more_ports=[BOTH]) as server:
        silent = await server.dial("tls")
        await until_async(lambda: server.hub.connection_counts.total == 1)
        server.stop.set()
        with trio.fail_after(2):
            assert await read_all(silent) == b""
