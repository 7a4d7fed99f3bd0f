"""Requests as browsers send them for web pages, on real sockets: by Host, Origin and framing."""

from __future__ import annotations

import ast
import ipaddress
import json
import re
import ssl
from pathlib import Path

import pytest
import trio

import tabnet
from tabnet.dialects.web.request_checks import Audience, Origin, RequestRules
from tabnet.dialects.web.routes import API
from tabnet.server.core.service import Service
from tests.dialects.web.raw import Wire, dial
from tests.harness import running

SOURCE = Path(tabnet.__file__).parent
JOIN = b'{"cmd":"join","group":1,"size":7}'
EVIL = "http://evil.example"
FRIEND = "https://friend.example"
RULES = RequestRules(
    own_names={"vm"},
    http_names=["games.example.org"],
    allowed_origins=[Origin("https", "friend.example", 443)],
)
PROXIES = [ipaddress.ip_network("127.0.0.0/8")]
OPERATORS = ("/health", "/metrics")
ROUTES = {path: route.audience for path, route in API.items() if path not in OPERATORS}
NATIVE = [path for path, audience in ROUTES.items() if audience is Audience.OWN_PAGES]
ORIGINAL = [path for path, audience in ROUTES.items() if audience is Audience.ANY_PAGE]


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


def own_origin(server):
    return f"http://127.0.0.1:{server.http[1]}"


async def ask(server, method, path, body=None, **headers):
    """Send one request on a connection of its own; its Host is the server's address."""
    headers.setdefault("Host", f"127.0.0.1:{server.http[1]}")
    return await (await dial(server)).request(method, path, body, **headers)


def test_the_paths_of_the_original_api_are_exempt_and_no_others():
    assert NATIVE == ["/v1", "/v1/updates"]
    assert [
        *("/register", "/join", "/leave", "/roll", "/notify", "/pass", "/ranking", "/update")
    ] == ORIGINAL
    assert [API[path].audience for path in OPERATORS] == [Audience.ANY_PAGE, Audience.OWN_PAGES]


# Host


@pytest.mark.parametrize("path", [*NATIVE, "/", "/app.js", "/nothing"])
async def test_a_page_whose_name_leads_to_the_server_reaches_nothing(path, executed):
    async with running(rules=lambda: RULES) as server:
        for host in ("evil.example", f"evil.example:{server.http[1]}"):
            for method in ("GET", "POST", "OPTIONS"):
                answer = await ask(server, method, path, JOIN, Host=host, Origin=f"http://{host}")
                assert answer.status == 421
                assert answer.json.keys() == {"error"}
                assert "--http-name" in answer.json["error"]
                assert "access-control-allow-origin" not in answer.headers
    assert executed == []


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:1", "[::1]", "VM:8008", "games.example.org"]
)
async def test_the_server_s_own_names_reach_the_page_and_native_paths(host, executed):
    async with running(rules=lambda: RULES) as server:
        assert (await ask(server, "GET", "/", Host=host)).status == 200
        answer = await ask(server, "POST", "/v1", JOIN, Host=host, Origin=f"http://{host}")
        assert answer.status == 200
    assert executed == ["join"]


async def test_names_may_change_while_the_server_runs():
    rules = RequestRules()
    async with running(rules=lambda: rules) as server:
        assert (await ask(server, "GET", "/v1", Host="vm")).status == 421
        rules = RULES
        assert (await ask(server, "GET", "/v1", Host="vm")).status == 200


# Origin


@pytest.mark.parametrize("origin", [EVIL, "null", "http://127.0.0.1:1", "https://127.0.0.1"])
async def test_a_native_path_executes_nothing_for_a_foreign_page(origin, executed):
    async with running(rules=lambda: RULES) as server:
        for method, path in (
            ("POST", "/v1"),
            ("GET", "/v1"),
            ("OPTIONS", "/v1"),
            ("OPTIONS", "/v1/updates"),
            ("GET", "/v1/updates?game=x&since=0"),
            ("PUT", "/v1"),
        ):
            answer = await ask(server, method, path, JOIN, Origin=origin, Content_Type="text/plain")
            assert answer.status == 403
            assert answer.json.keys() == {"error"}
            assert "--allow-origin" in answer.json["error"]
            assert answer.headers["vary"] == "Origin"
            assert "access-control-allow-origin" not in answer.headers
    assert executed == []


async def test_an_image_on_a_foreign_page_opens_no_stream(executed):
    async with running() as server:
        headers = {"Sec_Fetch_Site": "cross-site"}
        assert (await ask(server, "GET", "/v1/updates?game=x", **headers)).status == 403
        assert (await ask(server, "GET", "/", **headers)).status == 200
    assert executed == []


async def test_clients_without_an_origin_use_native_paths_without_cors_headers(executed):
    async with running() as server:
        answer = await ask(server, "POST", "/v1", JOIN)
        assert answer.status == 200
        assert "access-control-allow-origin" not in answer.headers
    assert executed == ["join"]


async def test_an_allowed_page_passes_the_preflight_and_reads_the_responses(executed):
    async with running(rules=lambda: RULES) as server:
        for path in NATIVE:
            method = {"Access_Control_Request_Method": "POST"}
            answer = await ask(server, "OPTIONS", path, Origin=FRIEND, **method)
            assert (answer.status, answer.body) == (204, b"")
            assert answer.headers["access-control-allow-origin"] == FRIEND
            assert answer.headers["access-control-allow-methods"] == "GET, POST, OPTIONS"
            assert "*" in answer.headers["access-control-allow-headers"]
            assert answer.headers["vary"] == "Origin"
        for body, status in ((JOIN, 200), (b"{", 400)):
            answer = await ask(server, "POST", "/v1", body, Origin=FRIEND)
            assert answer.status == status
            assert answer.headers["access-control-allow-origin"] == FRIEND
    assert executed == ["join"]


async def test_streams_have_the_cors_headers_of_their_path():
    async with running(rules=lambda: RULES) as server:
        game = (await ask(server, "POST", "/v1", JOIN)).json["game"]
        for path, origin, allowed in (
            ("/v1/updates", own_origin(server), own_origin(server)),
            ("/v1/updates", FRIEND, FRIEND),
            ("/v1/updates", None, None),
            ("/update", EVIL, "*"),
        ):
            headers = {} if origin is None else {"Origin": origin}
            wire = await dial(server)
            await wire.send("GET", f"{path}?game={game}", Host=own_origin(server)[7:], **headers)
            status, told = await wire.head()
            assert (status, told["content-type"]) == (200, "text/event-stream")
            assert told.get("access-control-allow-origin") == allowed
            assert told.get("vary") == ("Origin" if path == "/v1/updates" else None)


@pytest.mark.parametrize("path", ORIGINAL)
async def test_any_page_may_use_the_original_api_under_any_host(path):
    async with running() as server:
        for host, origin in (("evil.example", EVIL), ("localhost", "null")):
            preflight = await ask(server, "OPTIONS", path, Host=host, Origin=origin)
            assert (preflight.status, preflight.body) == (204, b"")
            assert preflight.headers["access-control-allow-methods"] == "GET, POST, OPTIONS"
            assert "*" in preflight.headers["access-control-allow-headers"]
            method, body = ("GET", None) if path == "/update" else ("POST", b"{}")
            answer = await ask(server, method, path, body, Host=host, Origin=origin)
            assert answer.status == 400
            assert answer.json["error"].lower().startswith("undefined ")
            too_long = await ask(server, "POST", path, b"x" * 70_000, Host=host, Origin=origin)
            for each in (preflight, answer, too_long):
                assert each.headers["access-control-allow-origin"] == "*"
                assert "vary" not in each.headers


async def test_https_has_an_origin_of_its_own(executed):
    async with running() as server:
        host = f"127.0.0.1:{server.https[1]}"
        trust = ssl.create_default_context()
        server.authority.configure_trust(trust)
        for scheme, status in (("https", 200), ("http", 403)):
            stream = await trio.open_ssl_over_tcp_stream(*server.https, ssl_context=trust)
            server.streams.append(stream)
            origin = f"{scheme}://{host}"
            answer = await Wire(stream).request("POST", "/v1", JOIN, Host=host, Origin=origin)
            assert answer.status == status
            assert json.loads(answer.body)
    assert executed == ["join"]


# Behind a proxy


async def test_a_trusted_proxy_names_the_origin_of_a_page(executed):
    forwarded = {"X_Forwarded_Host": "play.example", "X_Forwarded_Proto": "https"}
    async with running(proxies=PROXIES, rules=lambda: RULES) as server:
        assert (await ask(server, "GET", "/", Host="backend")).status == 200
        for origin, headers, status in (
            ("https://play.example", forwarded, 200),
            ("https://games.example.org", {}, 200),
            ("http://games.example.org", forwarded, 200),
            (EVIL, forwarded, 403),
            ("http://play.example", forwarded, 403),
        ):
            answer = await ask(
                server, "POST", "/v1", JOIN, Host="backend", Origin=origin, **headers
            )
            assert answer.status == status
    assert executed == ["join"] * 3


async def test_forwarded_hosts_of_others_are_ignored(executed):
    forwarded = {"X_Forwarded_Host": "evil.example", "X_Forwarded_Proto": "http"}
    async with running(rules=lambda: RULES) as server:
        answer = await ask(server, "POST", "/v1", JOIN, Origin=EVIL, **forwarded)
        assert answer.status == 403
        answer = await ask(server, "POST", "/v1", JOIN, Host="evil.example", **forwarded)
        assert answer.status == 421
    assert executed == []


# Framing


@pytest.mark.parametrize(
    "framing",
    [
        b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n",
        b"transfer-encoding: chunked\r\ncontent-length: %d\r\n",
        b"Content-Length: %d\r\nContent-Length: 5\r\n",
    ],
)
async def test_a_request_with_two_lengths_is_refused_and_nothing_of_it_is_executed(
    framing, executed
):
    body = b"0\r\n\r\nPOST /v1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(
        JOIN
    )
    body += JOIN
    async with running() as server:
        wire = await dial(server)
        head = b"POST /v1 HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
        await wire.stream.send_all(head + framing % len(body) + b"\r\n" + body)
        answer = await wire.response()
        assert (answer.status, answer.headers["connection"]) == (400, "close")
        assert "error" in answer.json
        await wire.stream.send_eof()
        assert await wire.closed()
    assert executed == []


# No ambient authority


async def test_cookies_and_credentials_of_a_browser_change_nothing():
    ambient = {"Cookie": "nick=zp; token=x", "Authorization": "Basic enA6c2VjcmV0"}
    async with running() as server:
        await ask(server, "POST", "/register", b'{"nick":"zp","password":"secret"}')
        for method, path, body in (
            ("POST", "/v1", b'{"cmd":"leave"}'),
            ("POST", "/register", b'{"nick":"zp"}'),
            ("GET", "/", None),
            ("GET", "/v1", None),
            ("GET", "/update?game=x", None),
        ):
            plain, loaded = [
                await ask(server, method, path, body, **headers) for headers in ({}, ambient)
            ]
            assert (plain.status, plain.body) == (loaded.status, loaded.body)
            assert plain.headers == loaded.headers
            assert not {"set-cookie", "access-control-allow-credentials"} & plain.headers.keys()


def test_no_code_reads_cookies_or_sends_credentials():
    for file in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        prose = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and id(node) not in prose:
                assert "cookie" not in str(node.value).lower(), file
    for file in sorted((SOURCE / "web").rglob("*.js")):
        text = file.read_text(encoding="utf-8").lower()
        assert "cookie" not in text, file
        assert not re.search(r"withcredentials|credentials\s*:\s*[\"'`]", text), file
