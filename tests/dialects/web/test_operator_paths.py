"""The paths for operators, on a real server."""

from __future__ import annotations

import ipaddress
import re
from functools import partial

import pytest
import trio

from tabnet.dialects.web.http_server import Web
from tabnet.dialects.web.operator_paths import MetricsPort, make_metrics_response
from tabnet.server.core.costs.limits import Limits
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tabnet.server.net.ports import PortSettings
from tabnet.server.storage import group_commit
from tests.dialects.web.raw import Wire, dial, get
from tests.harness import running
from tests.polling import until_async

LOOPBACK = ipaddress.ip_network("127.0.0.0/8")


def read_samples(body: bytes) -> dict[str, float]:
    """Return the value of each sample, by its name and labels; every line has to be one."""
    samples = {}
    for line in body.decode().splitlines():
        if not line.startswith(("# HELP ", "# TYPE ")):
            found = re.fullmatch(
                r'([a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})?) (\S+)', line
            )
            assert found, line
            assert found[1] not in samples
            samples[found[1]] = float(found[2])
    return samples


async def read_metrics(server) -> dict[str, float]:
    response = await get(server, "/metrics")
    assert response.status == 200
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return read_samples(response.body)


# Health


async def test_everybody_may_ask_for_the_health_of_the_server_under_any_host(tmp_path):
    async with running(folder=tmp_path) as server:
        for headers in ({}, {"Host": "evil.example"}, {"Origin": "https://evil.example"}):
            healthy = await get(server, "/health", **headers)
            assert (healthy.status, healthy.json) == (200, {"ready": True, "database": True})
        head = await (await dial(server)).request("HEAD", "/health", Host="evil.example")
        assert (head.status, head.headers["content-length"]) == (200, "30")
        posted = await (await dial(server)).request("POST", "/health", b"")
        assert (posted.status, posted.headers["allow"]) == (405, "GET, HEAD, OPTIONS")


async def test_a_proxy_may_ask_for_the_health_of_the_server():
    async with running(proxies=[LOOPBACK]) as server:
        assert (await get(server, "/health", X_Forwarded_For="192.0.2.7")).status == 200


async def test_requests_for_the_health_are_limited_like_others():
    async with running(limits=Limits(commands_per_s=2)) as server:
        wire = await dial(server)
        statuses = [(await wire.request("GET", "/health")).status for _ in range(3)]
        assert statuses == [200, 200, 429]


async def test_a_stopping_server_is_not_ready():
    async with running() as server:
        server.hub.service.stopping = True
        response = await get(server, "/health")
        assert (response.status, response.json) == (503, {"ready": False, "database": None})


async def test_a_replaced_database_is_not_healthy(tmp_path):
    async with running(folder=tmp_path) as server:
        moved = (tmp_path / "tabnet.db").rename(tmp_path / "moved")
        response = await get(server, "/health")
        assert (response.status, response.json) == (503, {"ready": True, "database": False})
        moved.rename(tmp_path / "tabnet.db")
        assert (await get(server, "/health")).status == 200


async def test_a_commit_that_does_not_end_is_not_healthy(tmp_path, monkeypatch):
    async with running(folder=tmp_path) as server:
        begun = []
        monkeypatch.setattr(server.hub.store, "begin_commit", lambda *job: begun.append(job))
        talker = await server.connect()
        await talker.send(cmd="join", group=1, size=7)
        await until_async(lambda: begun)
        assert (await get(server, "/health")).status == 200
        monkeypatch.setattr(group_commit, "STUCK_S", 0)
        response = await get(server, "/health")
        assert (response.status, response.json) == (503, {"ready": True, "database": False})
        begun[0][1](None)
        assert (await get(server, "/health")).status == 200


# Metrics


async def test_house_bots_are_counted_by_bot(house):
    await trio.lowlevel.checkpoint()
    first, second = make_nicks("deep:2", 2)
    house.service.opponents = HouseBots({"deep:2": (first, second), "fast": make_nicks("fast", 1)})
    house.service.games.take_seat(first, "a game")
    house.counts.lost_bot_processes["fast"] += 3
    samples = read_samples(make_metrics_response(house).body)
    assert [
        samples[f'tabnet_house_bot_{name}{{bot="{bot}"}}']
        for name in ("places", "games", "ready", "processes_lost_total")
        for bot in ("deep:2", "fast")
    ] == [2, 1, 1, 0, 0, 0, 0, 3]


async def test_the_metrics_count_what_the_server_does(tmp_path):
    async with running(folder=tmp_path) as server:
        blue, red = await server.connect(), await server.connect()
        await blue.ask(cmd="register", nick="zp", password="secret")
        game = (await blue.ask(cmd="join", group=1, size=7))["game"]
        waiting = await read_metrics(server)
        assert waiting['tabnet_waits{kind="tab"}'] == 1
        await red.ask(cmd="join", group=1, size=7)
        await red.ask(cmd="move")
        await red.ask(cmd="zp")
        await red.send_line(b"{")
        assert (await red.receive())["type"] in ("reply", "update")
        await blue.ask(cmd="roll", game="x")
        playing = await read_metrics(server)
        assert playing["tabnet_connections"] >= 3
        assert playing["tabnet_connections_total"] == 4
        assert playing['tabnet_commands_total{command="join",result="ok"}'] == 2
        assert playing['tabnet_commands_total{command="register",result="ok"}'] == 1
        assert playing['tabnet_commands_total{command="roll",result="unknown_game"}'] == 1
        assert playing['tabnet_commands_total{command="unknown",result="unknown_command"}'] == 2
        assert playing['tabnet_commands_total{command="unknown",result="not_json"}'] == 1
        assert playing['tabnet_matches{kind="tab"}'] == 1
        assert playing['tabnet_matches{kind="fish"}'] == 0
        assert playing['tabnet_matches_begun_total{kind="tab"}'] == 1
        assert playing['tabnet_waits{kind="tab"}'] == 0
        assert playing["tabnet_commit_seconds_count"] >= 3
        assert 0 < playing["tabnet_commit_seconds_sum"] < 60
        await blue.ask(cmd="leave", game=game)
        ended = await read_metrics(server)
        assert ended['tabnet_matches{kind="tab"}'] == 0
        assert ended['tabnet_matches_ended_total{reason="leave"}'] == 1
        text = " ".join(ended)
        assert not any(secret in text for secret in ("zp", "guest", game, "127.0.0.1"))
        assert ended["process_cpu_seconds_total"] > 0


@pytest.mark.parametrize(
    "name", ["Forwarded", "Via", "X_Real_IP", "X_Forwarded_For", "x_forwarded_x"]
)
async def test_metrics_are_refused_to_requests_with_forwarding_headers(name):
    async with running() as server:
        response = await get(server, "/metrics", **{name: "127.0.0.1"})
        assert (response.status, response.json) == (
            403,
            {"error": "/metrics is not for proxies: ask the server itself"},
        )


async def test_metrics_are_refused_to_trusted_proxies_and_foreign_pages():
    async with running(proxies=[LOOPBACK]) as server:
        assert (await get(server, "/metrics")).status == 403
    async with running() as server:
        assert (await get(server, "/metrics", Origin="https://evil.example")).status == 403
        assert (await get(server, "/metrics", Host="evil.example")).status == 421


async def test_metrics_are_for_the_machine_of_the_server(house, nursery, visit):
    local = await visit(origin="127.0.0.1").request("GET", "/metrics")
    remote = await visit(origin="192.0.2.7").request("GET", "/metrics")
    assert (local.status, remote.status) == (200, 403)
    assert "--metrics-port" in remote.json["error"]
    assert (await visit(origin="192.0.2.7").request("GET", "/health")).status == 200


async def test_a_port_for_metrics_has_nothing_else_and_is_the_only_one(monkeypatch):
    other = partial(Web, metrics=MetricsPort.OTHER)
    own = partial(Web, files={}, metrics=MetricsPort.OWN)
    more = [
        PortSettings("http", "127.0.0.1", 0, other),
        PortSettings("metrics", "127.0.0.1", 0, own),
    ]
    async with running(more_ports=more) as server:
        assert (await get(server, "/metrics")).status == 404
        assert (await get(server, "/health")).status == 200
        wire = Wire(await server.dial("metrics"))
        assert (await wire.request("GET", "/metrics")).status == 200
        assert (await wire.request("GET", "/health")).status == 200
        for path in ("/", "/v1", "/plakoto/main/board"):
            refused = await wire.request("GET", path)
            assert (refused.status, refused.json["error"]) == (
                404,
                "this port has only /metrics and /health",
            )
        proxied = await wire.request("GET", "/metrics", X_Forwarded_For="192.0.2.7")
        assert proxied.status == 403
