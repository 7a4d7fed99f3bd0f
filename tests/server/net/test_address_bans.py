"""Bans of addresses on a real server.

Clients of this machine are never banned, so that connections from 127.0.0.2 stand for a client at
192.0.2.7.
"""

from __future__ import annotations

import ipaddress
from functools import partial

import pytest
import trio

from tabnet.server.admin.requests import execute
from tabnet.server.net import accepted_sockets
from tabnet.server.net.accepted_sockets import choose_service, get_peer_address
from tabnet.server.net.server_clock import now
from tests.dialects.web.raw import Wire, dial, follow
from tests.harness import Talker, running

LOOPBACK = ipaddress.ip_network("127.0.0.0/8")
BYE = {"type": "bye", "reason": "your address is banned: a flood", "code": "banned"}


@pytest.fixture(autouse=True)
def remote_clients(monkeypatch):
    """Let a client at 127.0.0.2 have another address for the server."""

    def get_address(stream: trio.SocketStream) -> str:
        return get_peer_address(stream).replace("127.0.0.2:", "192.0.2.7:")

    monkeypatch.setattr(accepted_sockets, "get_peer_address", get_address)


def order(server, range: str, reason: str | None = "a flood") -> None:
    request = {"do": "ban-addresses", "range": range, "reason": reason}
    response, effects = execute(server.hub.service, request, now())
    assert "done" in response
    server.hub.perform(effects)


async def connect(server, port: str = "tcp") -> Talker:
    """Return a client at 192.0.2.7."""
    address = server.ports[port].local_address
    stream = await trio.open_tcp_stream(*address, local_address="127.0.0.2")
    server.streams.append(stream)
    return Talker(stream)


async def test_connections_from_a_banned_range_are_closed_and_others_stay():
    async with running() as server:
        far, near = await connect(server), await server.connect()
        assert (await far.receive())["type"] == "hello"
        order(server, "192.0.2.0/24")
        assert await far.receive() == BYE
        assert await far.receive_line() == b""
        assert (await near.ask(cmd="ping"))["type"] == "reply"


async def test_new_connections_from_a_banned_range_are_refused_until_the_ban_is_lifted():
    async with running() as server:
        order(server, "192.0.2.7")
        far = await connect(server)
        assert await far.receive() == BYE
        assert await far.receive_line() == b""
        web = Wire((await connect(server, "http")).stream)
        refused = await web.request("POST", "/v1", b'{"cmd":"ping"}')
        assert (refused.status, refused.json) == (403, {"error": BYE["reason"]})
        for port in ("tls", "https"):
            assert await (await connect(server, port)).receive_line() == b""
        order(server, "192.0.2.7", None)
        assert (await (await connect(server)).receive())["type"] == "hello"


async def test_a_client_that_is_banned_during_its_handshake_is_not_served():
    async with running() as server:
        dialect = server.ports["tls"].settings.dialect(server.hub)
        assert choose_service(dialect, "192.0.2.7:1") == dialect.converse
        order(server, "192.0.2.0/24")
        assert choose_service(dialect, "192.0.2.7:1") == dialect.send_away
        assert choose_service(dialect, "192.0.3.7:1") == dialect.converse


async def test_behind_a_proxy_the_address_of_the_client_is_banned():
    async with running(proxies=[LOOPBACK]) as server:
        order(server, "192.0.2.0/24")
        wire = await dial(server)
        for client, status in (("192.0.2.7", 403), ("192.0.3.7", 200), ("192.0.2.8", 403)):
            request = partial(wire.request, "POST", "/v1", b'{"cmd":"ping"}')
            assert (await request(X_Forwarded_For=client)).status == status
        room = await wire.request("GET", "/plakoto/main/board", X_Forwarded_For="192.0.2.7")
        assert (room.status, room.json) == (400, {"errormesg": BYE["reason"]})


async def test_a_proxy_in_a_banned_range_still_sends_for_its_clients():
    proxy = ipaddress.ip_network("192.0.2.7")
    async with running(proxies=[proxy]) as server:
        order(server, "192.0.2.0/24")
        wire = Wire((await connect(server, "http")).stream)
        for client, status in (("192.0.3.7", 200), ("192.0.2.8", 403), ("", 403)):
            request = partial(wire.request, "POST", "/v1", b'{"cmd":"ping"}')
            assert (await request(X_Forwarded_For=client)).status == status


async def test_a_stream_of_a_banned_client_behind_a_proxy_ends_with_the_reason():
    async with running(proxies=[LOOPBACK]) as server:
        player = await server.connect()
        game = (await player.ask(cmd="join", group=1, size=7))["game"]
        target = f"/v1/updates?game={game}"
        far = await follow(server, target, X_Forwarded_For="192.0.2.7")
        near = await follow(server, target, X_Forwarded_For="192.0.3.7")
        order(server, "192.0.2.0/24")
        assert (await far.event()).data == BYE
        assert await far.closed()
        await player.ask(cmd="leave", game=game)
        assert (await near.event()).data["type"] == "update"


async def test_the_server_s_own_machine_stays_connected_whatever_is_banned():
    async with running() as server:
        near = await server.connect()
        order(server, "0.0.0.0/0")
        order(server, "::/0")
        assert (await near.ask(cmd="ping"))["type"] == "reply"
        assert (await (await server.connect()).ask(cmd="ping"))["type"] == "reply"


async def test_bans_survive_a_restart(tmp_path):
    async with running(folder=tmp_path) as server:
        order(server, "192.0.2.0/24")
        await server.hub.wait_until_committed()
    async with running(folder=tmp_path) as server:
        assert await (await connect(server)).receive() == BYE
