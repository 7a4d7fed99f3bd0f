"""HTTP: methods, sizes, timeouts, persistent connections and errors."""

from __future__ import annotations

import http.client
import json
import logging
import ssl
import urllib.request
from contextlib import suppress

import pytest
import trio

from tabnet.dialects.web import http_server as door
from tabnet.dialects.web.http_parser import BETWEEN_S, HEAD_BYTES, REQUEST_S, HttpExchange
from tabnet.dialects.web.http_server import SEND_AWAY_S, Web
from tabnet.dialects.web.page_files import POLICY
from tabnet.protocol.line_splitter import MAX_LINE
from tabnet.server.core.costs.limits import Limits
from tabnet.server.core.players.login_failures import FREE_FAILURES
from tabnet.server.core.service import Service
from tabnet.server.net.accepted_sockets import serve_transport
from tests.dialects.web.raw import Wire, dial, get, post
from tests.harness import running
from tests.memory_connection import MemoryTransport, connect

PING = b'{"cmd":"ping"}'
PONG = {"type": "reply", "cmd": "ping"}
ZP = {"nick": "zp", "password": "secret"}


def url(server, path):
    return f"http://127.0.0.1:{server.http[1]}{path}"


async def test_the_content_type_and_further_fields_are_ignored():
    async with running() as server:
        body = json.dumps({**ZP, "colour": "red", "group": None}).encode()
        for kind in ("application/json", "text/plain;charset=UTF-8", "nonsense"):
            wire = await dial(server)
            answer = await wire.request("POST", "/register", body, Content_Type=kind)
            assert (answer.status, answer.json) == (200, {})


async def test_urllib_is_answered():
    async with running() as server:
        request = urllib.request.Request(url(server, "/register"), json.dumps(ZP).encode())
        opened = await trio.to_thread.run_sync(urllib.request.urlopen, request)
        assert json.loads(opened.read()) == {}
        opened.close()


async def test_http_client_is_answered_again_and_again_on_one_connection():
    def talk(port):
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        for _ in range(3):
            client.request("POST", "/v1", PING)
            assert json.loads(client.getresponse().read()) == PONG
        client.close()

    async with running() as server:
        await trio.to_thread.run_sync(talk, server.http[1])


async def test_https_has_the_server_s_certificate():
    async with running() as server:
        context = ssl.create_default_context()
        server.authority.configure_trust(context)
        stream = await trio.open_ssl_over_tcp_stream(*server.https, ssl_context=context)
        server.streams.append(stream)
        wire = Wire(stream)
        for _ in range(2):
            assert (await wire.request("POST", "/v1", PING)).json == PONG


@pytest.mark.parametrize(
    ("method", "target", "body", "status", "error"),
    [
        ("GET", "/nothing", None, 404, "there is nothing at /nothing"),
        ("GET", "/../tabnet/errors.py", None, 404, "there is nothing at /../tabnet/errors.py"),
        ("GET", "/join", None, 405, "GET is not for /join: POST, OPTIONS"),
        ("POST", "/update", b"{}", 405, "POST is not for /update: GET, OPTIONS"),
        ("DELETE", "/", None, 405, "DELETE is not for /: GET, HEAD"),
        ("POST", "/join", b"", 400, None),
        ("POST", "/join", b"[]", 400, "a command is a JSON object"),
        ("POST", "/join", b'{"group":1,"group":2}', 400, "group is given twice"),
        ("POST", "/join", b"\xff", 400, None),
        ("POST", "/roll", b"{}", 400, "undefined nick"),
        ("POST", "/roll", b'{"nick":null}', 400, "undefined nick"),
        ("POST", "/roll", b'{"nick":"zp","password":"x"}', 400, "undefined game"),
        ("POST", "/register", b'{"nick":"zp"}', 400, "undefined password"),
        ("POST", "/register", b'{"nick":1,"password":"x"}', 400, "nick is not a string"),
        ("POST", "/notify", b'{"nick":"zp","password":"x","game":"g"}', 400, "undefined cell"),
        ("POST", "/leave", b'{"nick":"zp","password":"x","game":"g"}', 401, "zp is not registered"),
        ("GET", "/update", None, 400, "undefined game"),
        ("GET", "/update?nick=zp&game=", None, 400, "game is empty"),
        ("GET", "/update?nick=zp&game=no", None, 400, "Invalid game reference"),
    ],
)
async def test_every_error_has_a_status_and_a_text(method, target, body, status, error):
    async with running() as server:
        answer = await (await dial(server)).request(method, target, body, Origin="https://a.b")
        assert answer.status == status
        assert answer.json.keys() == {"error"}
        assert error in (None, answer.json["error"])
        if status == 405:
            assert answer.headers["allow"] == answer.json["error"].partition(": ")[2]


async def test_an_extra_slash_is_ignored():
    async with running() as server:
        for path in ("//register", "/register/"):
            assert (await post(server, path, **ZP)).status == 200


async def test_a_body_that_is_too_long_is_refused_and_its_connection_ends():
    async with running() as server:
        longest = PING + b" " * (MAX_LINE - len(PING))
        assert (await (await dial(server)).request("POST", "/v1", longest)).json == PONG
        wire = await dial(server)
        answer = await wire.request("POST", "/v1", longest + b" ")
        assert (answer.status, answer.headers["connection"]) == (413, "close")
        assert answer.json == {"error": f"a body may have {MAX_LINE} bytes at most"}
        await wire.stream.send_eof()
        assert await wire.closed()


async def test_a_client_that_keeps_sending_receives_the_error():
    async with running() as server:
        wire = await dial(server)
        await wire.send("POST", "/v1", b"x" * (4 * MAX_LINE))
        assert (await wire.response()).status == 413


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b'{"cmd":"help"}\n\n', 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n", 400),
        (b"POST /v1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
        (b"POST /v1 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        (b"POST /v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        (b"GET /" + b"x" * HEAD_BYTES, 431),
    ],
)
async def test_a_connection_that_does_not_send_http_is_answered_and_closed(text, status):
    async with running() as server:
        wire = await dial(server)
        await wire.stream.send_all(text)
        answer = await wire.response()
        assert (answer.status, answer.headers["connection"]) == (status, "close")
        assert "error" in answer.json
        await wire.stream.send_eof()
        assert await wire.closed()
        assert (await post(server, "/v1", cmd="ping")).json == PONG


async def test_requests_sent_at_once_are_answered_in_order():
    async with running() as server:
        wire = await dial(server)
        for number in range(200):
            await wire.send("POST", "/v1", b'{"cmd":"ping","id":%d}' % number)
        assert [(await wire.response()).json["id"] for _ in range(200)] == list(range(200))


async def test_many_requests_at_once_do_not_delay_other_clients(visit, house, nursery, monkeypatch):
    eager, other = visit(), await connect(house, nursery)
    answered, seen = [], []
    routed, handle = door.route_request, Service.handle

    def telling(*request):
        if not answered:
            other.stream.transport.deliver(PING + b"\n")
        answered.append(request)
        return routed(*request)

    def handling(*command):
        seen.append(len(answered))
        return handle(*command)

    monkeypatch.setattr(door, "route_request", telling)
    monkeypatch.setattr(Service, "handle", handling)
    await eager.stream.send_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
    assert await other.receive() == PONG
    assert seen[0] < 10


@pytest.mark.parametrize("head", ["HTTP/1.0", "HTTP/1.1\r\nHost: localhost\r\nConnection: close"])
async def test_a_connection_is_closed_on_request(head):
    async with running() as server:
        wire = await dial(server)
        await wire.stream.send_all(f"GET / {head}\r\n\r\n".encode())
        assert (await wire.response()).status == 200
        assert await wire.closed()


async def test_a_chunked_body_and_one_that_expects_100_continue_are_read():
    async with running() as server:
        wire = await dial(server)
        head = b"POST /v1 HTTP/1.1\r\nHost: localhost\r\n"
        chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in PING)
        await wire.stream.send_all(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
        await wire.stream.send_all(b"0\r\n\r\n")
        assert (await wire.response()).json == PONG
        await wire.stream.send_all(head + b"Expect: 100-continue\r\nContent-Length: 14\r\n\r\n")
        assert (await wire.head())[0] == 100
        await wire.stream.send_all(PING)
        assert (await wire.response()).json == PONG


async def test_a_protocol_upgrade_is_ignored():
    async with running() as server:
        wire = await dial(server)
        answer = await wire.request("GET", "/", Connection="Upgrade", Upgrade="websocket")
        assert answer.status == 200
        assert (await wire.request("POST", "/v1", PING)).json == PONG


# Time


@pytest.mark.parametrize(
    "begun", [b"GET / HT", b"POST /v1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"]
)
async def test_an_unfinished_request_is_timed_out(visit, autojump_clock, begun):
    wire, start = visit(), trio.current_time()
    await wire.stream.send_all(begun)
    answer = await wire.response()
    assert trio.current_time() - start == pytest.approx(REQUEST_S)
    assert (answer.status, answer.headers["connection"]) == (408, "close")
    assert await wire.closed()


async def test_a_request_may_arrive_slowly(visit, autojump_clock):
    wire = visit()
    request = b"POST /v1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n" + PING
    for byte in request:
        await wire.stream.send_all(bytes([byte]))
        await trio.sleep(REQUEST_S / len(request) * 0.9)
    assert (await wire.response()).json == PONG


async def test_an_idle_connection_is_closed_without_a_response(visit, autojump_clock):
    wire = visit()
    await wire.request("GET", "/")
    start = trio.current_time()
    assert await wire.closed()
    assert trio.current_time() - start == pytest.approx(BETWEEN_S)


async def test_a_client_that_does_not_read_its_responses_is_disconnected(
    visit, house, autojump_clock
):
    transport = MemoryTransport(room=100)
    wire = visit(transport)
    await wire.send("GET", "/")
    with trio.fail_after(60):
        await transport.wait_closed()
    assert not house.outbox.connections


# Limits


async def test_one_connection_too_many_is_refused():
    async with running(limits=Limits(per_address=2)) as server:
        wires = [await dial(server) for _ in range(2)]
        for wire in wires:
            await wire.request("POST", "/v1", PING)
        answer = await post(server, "/v1", cmd="ping")
        assert (answer.status, answer.headers["retry-after"]) == (429, "10")
        assert answer.json == {"error": "too many connections"}
        assert (await wires[0].request("POST", "/v1", PING)).json == PONG


async def test_a_silent_client_over_the_limit_is_disconnected(house, autojump_clock):
    transport, start = MemoryTransport(), trio.current_time()
    await serve_transport(Web(house).send_away, transport, "memory:1")
    assert trio.current_time() - start == pytest.approx(SEND_AWAY_S)
    assert await transport.read() == b""
    assert transport.closed


@pytest.mark.parametrize("body", [b'{"cmd":"games"}', b"nonsense"])
async def test_too_many_commands_are_refused_and_the_connection_is_closed(body):
    async with running(limits=Limits(commands_per_s=5)) as server:
        wire = await dial(server)
        while (answer := await wire.request("POST", "/v1", body)).status != 429:
            pass
        assert (answer.json["code"], answer.headers["retry-after"]) == ("too_many_commands", "1")
        assert answer.headers["connection"] == "close"
        assert await wire.closed()


async def test_files_cost_as_much_as_commands():
    async with running(limits=Limits(commands_per_s=5)) as server:
        wire = await dial(server)
        while (answer := await wire.request("GET", "/")).status != 429:
            assert answer.status == 200
        assert answer.headers["retry-after"] == "1"


async def test_too_many_games_of_one_nick():
    async with running(limits=Limits(games_per_nick=1)) as server:
        await post(server, "/register", **ZP)
        assert (await post(server, "/join", **ZP, group=1, size=7)).status == 200
        answer = await post(server, "/join", **ZP, group=2, size=7)
        assert (answer.status, answer.headers["retry-after"]) == (429, "60")


async def test_too_many_wrong_passwords():
    async with running() as server:
        await post(server, "/register", **ZP)
        for _ in range(FREE_FAILURES):
            assert (await post(server, "/register", nick="zp", password="x")).status == 401
        answer = await post(server, "/leave", nick="zp", password="x", game="g")
        assert (answer.status, answer.headers["retry-after"]) == (429, "1")
        assert answer.json == {"error": "too many wrong passwords for zp"}


# Whatever happens inside


@pytest.mark.parametrize("path", ["/v1", "/register"])
async def test_a_failure_of_the_server_is_answered_and_others_are_served(path, monkeypatch, caplog):
    async with running() as server:
        other = await server.connect()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Service, "handle", None)
            answer = await post(server, path, **({"cmd": "games"} if path == "/v1" else ZP))
        assert answer.status == 500
        assert answer.json == {"error": "the server failed; other games go on"}
        assert await other.ask(cmd="ping") == PONG
    assert "failed" in caplog.text


# The page


async def test_the_page_is_served_with_a_strict_policy():
    async with running() as server:
        page = await get(server, "/")
        assert page.status == 200
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["content-security-policy"] == POLICY
        assert page.body.startswith(b"<!doctype html>")
        for target in ("/index.html", "/?game=g"):
            assert (await get(server, target)).body == page.body
        for told in (page.headers["etag"], f'"x", W/{page.headers["etag"]}'):
            same = await get(server, "/", If_None_Match=told)
            assert (same.status, same.body) == (304, b"")
            assert same.headers["etag"] == page.headers["etag"]
        assert (await get(server, "/", If_None_Match='"other"')).status == 200
        wire = await dial(server)
        head = await wire.request("HEAD", "/")
        assert head.headers == page.headers
        assert (await wire.request("GET", "/")).body == page.body


# Doors


async def test_with_https_one_too_many_is_closed_before_the_handshake():
    async with running(limits=Limits(per_address=1)) as server:
        await (await dial(server)).request("POST", "/v1", PING)
        stream = await trio.open_tcp_stream(*server.https)
        async with stream:
            assert await Wire(stream).closed()


async def test_plain_text_on_the_tls_port_ends_only_its_own_connection():
    async with running() as server:
        stream = await trio.open_tcp_stream(*server.https)
        async with stream:
            await stream.send_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            with suppress(trio.BrokenResourceError):
                while await stream.receive_some():
                    pass
        assert (await get(server, "/")).status == 200


async def test_a_failure_to_send_ends_one_connection_and_is_logged(visit, monkeypatch, caplog):
    wire, other = visit(), visit()
    assert (await other.request("POST", "/v1", PING)).json == PONG
    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.ERROR, "tabnet"):
        patch.setattr(HttpExchange, "encode_response", None)
        await wire.send("POST", "/v1", PING)
        assert await wire.closed()
    assert "failed" in caplog.text
    assert (await other.request("POST", "/v1", PING)).json == PONG
