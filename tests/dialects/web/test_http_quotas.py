"""The limits on what the server keeps, over real HTTP: each request counts for its own address."""

from __future__ import annotations

import ipaddress
import json

from tabnet.server.core.costs.limits import Limits
from tests.dialects.web.raw import dial
from tests.harness import running

PROXIES = [ipaddress.ip_network("127.0.0.1")]
LIMITS = Limits(waits=3, registrations_per_h=1)
PRIVATE = {"cmd": "join", "kind": "draughts", "private": True}


async def answer(wire, *, status=200, **fields):
    """Send one command on an open connection; return its reply."""
    headers = {"X-Forwarded-For": fields.pop("forwarded")} if "forwarded" in fields else {}
    response = await wire.request("POST", "/v1", json.dumps(fields).encode(), **headers)
    assert response.status == status, response
    return response.json


async def test_waits_count_for_an_address_over_all_its_connections():
    async with running(limits=LIMITS) as server:
        first, second = [await dial(server, source="127.0.0.2") for _ in range(2)]
        for wire in (first, second, first):
            await answer(wire, **PRIVATE)
        for wire in (first, second, first):  # they stay open
            refused = await answer(wire, **PRIVATE, status=429)
            assert (refused["code"], refused["retry_after"]) == ("too_many_waits", 60)
        await answer(await dial(server, source="127.0.0.3"), **PRIVATE)
        for _ in range(2 * LIMITS.waits):  # 127.0.0.1 is limited by connection only
            await answer(await dial(server), **PRIVATE)
        assert len(server.hub.service.games.lobby.tables) == 3 + 1 + 6


async def test_a_connection_of_an_exempt_address_has_the_limit_of_a_session():
    async with running(limits=LIMITS) as server:
        wire = await dial(server)
        for _ in range(LIMITS.waits):
            await answer(wire, **PRIVATE)
        assert (await answer(wire, **PRIVATE, status=429))["code"] == "too_many_waits"


async def test_new_nicks_count_for_an_address():
    async with running(limits=LIMITS) as server:
        wire = await dial(server, source="127.0.0.2")
        zp = {"cmd": "register", "nick": "zp", "password": "secret"}
        await answer(wire, **zp)
        refused = await answer(wire, **zp | {"nick": "jpleal"}, status=429)
        assert refused["code"] == "too_many_registrations"
        assert 3590 <= refused["retry_after"] <= 3600
        await answer(wire, **zp)


async def test_behind_a_proxy_each_request_counts_for_its_client():
    async with running(limits=LIMITS, proxies=PROXIES) as server:
        wire = await dial(server)
        for forwarded in ("192.0.2.1", "192.0.2.2", "127.0.0.1"):
            for _ in range(LIMITS.waits):
                await answer(wire, **PRIVATE, forwarded=forwarded)
            refused = await answer(wire, **PRIVATE, forwarded=forwarded, status=429)
            assert refused["code"] == "too_many_waits"


async def test_a_proxy_s_own_requests_are_not_exempt():
    async with running(limits=LIMITS, proxies=PROXIES) as server:
        for _ in range(LIMITS.waits):
            await answer(await dial(server), **PRIVATE)
        refused = await answer(await dial(server), **PRIVATE, status=429)
        assert refused["code"] == "too_many_waits"


async def test_requests_of_a_foreign_web_page_are_not_exempt():
    body = json.dumps({"group": 1, "size": 7, "nick": "zp", "password": "secret"}).encode()
    codes = []
    async with running(limits=Limits(waits=1, games_per_nick=9)) as server:
        for group in (b"1", b"2", b"3"):
            wire = await dial(server)
            page = {"Origin": "https://example.org"} if group != b"3" else {}
            grouped = body.replace(b'"group": 1', b'"group": ' + group)
            await wire.request("POST", "/register", body)
            codes.append((await wire.request("POST", "/join", grouped, **page)).status)
    assert codes == [200, 429, 200]
