"""The port of Fish: requests in any pieces, native clients with TLS beside them, and timeouts."""

from __future__ import annotations

import json
import math
import random

import pytest
import trio

from tabnet.server.core.costs.limits import Limits
from tabnet.server.net import accepted_sockets, idle_timeouts
from tabnet.server.net.idle_timeouts import CHECK_S
from tests.dialects.fish_actions.clients import connect, fish_server, join
from tests.server.net.test_accepted_sockets import read_all

PORTS = pytest.mark.parametrize("port", ["fish", "tls"])
STATES = [f'{{"action":"{action}","user_token":"TOKEN"}}' for action in ("get_state", "check_turn")]


@pytest.fixture
def short_timeouts(monkeypatch):
    """Timeouts of which the clock reaches the end in a few jumps."""
    monkeypatch.setattr(idle_timeouts, "FIRST_LINE_S", 20)
    monkeypatch.setattr(idle_timeouts, "IDLE_S", 40)


@pytest.fixture
def jumping_clock(autojump_clock):
    """A clock that jumps to the next timeout when nothing has happened for a moment."""
    autojump_clock.autojump_threshold = 0.02  # bytes in sockets need some time
    return autojump_clock


@PORTS
@pytest.mark.parametrize("size", [1, 2, 7, 1000])
async def test_requests_may_come_in_any_pieces_with_any_white_space(port, size):
    async with fish_server() as server:
        red, white = await join(server, 2)
        client, luck = await connect(server, port), random.Random(size)
        requests = [luck.choice(STATES).replace("TOKEN", red.token) for _ in range(20)]
        spaces = [luck.choice(["", "", " ", "\n", "\r\n\t "]) for _ in requests]
        data = "".join(f"{request}{space}" for request, space in zip(requests, spaces, strict=True))
        for at in range(0, len(data), size):
            await client.stream.send_all(data[at : at + size].encode())
        for request in requests:
            expected = "current_state" if "get_state" in request else "color"
            assert list(await client.receive()) == [expected]
        assert "result_state" in await red.place(0, 0)
        assert await white.ask("check_turn") == {"color": "white"}


@PORTS
async def test_responses_have_the_order_of_the_requests(port):
    async with fish_server(limits=Limits(commands_per_s=100_000)) as server:
        (red, _) = await join(server, 2)
        client = await connect(server, port)
        actions = ["check_turn", "nothing", "is_game_over", "get_state"] * 500
        requests = [json.dumps({"action": each, "user_token": red.token}) for each in actions]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.stream.send_all, "".join(requests).encode())
            names = {
                "check_turn": "color",
                "nothing": "error_type",
                "is_game_over": "is_game_over",
                "get_state": "current_state",
            }
            for action in actions:
                assert names[action] in await client.receive()


async def test_a_client_that_finishes_gets_the_responses_to_its_requests():
    async with fish_server() as server:
        client = await connect(server, "tls")
        await client.stream.send_all(b'{"action":"get_state"}' * 3 + b'{"action":')
        await client.stream.send_eof()
        lines = (await read_all(client.stream)).splitlines()
        assert [json.loads(line)["error_type"] for line in lines] == ["Incorrect_Token"] * 3


async def test_fish_clients_and_native_clients_with_tls_share_a_port():
    async with fish_server() as server:
        native = await server.connect_tls()
        red, white = await connect(server, "tls"), await connect(server, "tls")
        await red.join()
        assert (await white.join())["color"] == "white"
        assert "result_state" in await red.place(0, 0)
        listed = (await native.ask(cmd="games"))["games"]
        assert [each["kind"] for each in listed] == ["fish"]


@PORTS
@pytest.mark.parametrize("is_local_only", [True, False])
async def test_other_machines_need_tls_unless_the_operator_allows_plain(
    port, is_local_only, monkeypatch
):
    monkeypatch.setattr(accepted_sockets, "get_peer_address", lambda _: "192.0.2.7:5000")
    async with fish_server(is_local_only=is_local_only) as server:
        client = await connect(server, port)
        response = await client.join()
        if is_local_only:
            assert response == {
                "error_type": "Tournament_Error",
                "error_message": "without TLS, the server serves only its own machine",
            }
            assert await read_all(client.stream) == b""
        else:
            assert response["color"] == "red"
        native = await server.connect_tls()
        assert await native.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_one_client_too_many_gets_an_error():
    async with fish_server(limits=Limits(per_address=1)) as server:
        await join(server, 1)
        (line,) = (await read_all((await connect(server)).stream)).splitlines()
        assert json.loads(line)["error_type"] == "Tournament_Error"


async def test_a_silent_client_has_a_minute_for_its_first_byte(jumping_clock):
    async with fish_server(timeout_s=math.inf) as server:
        start, client = trio.current_time(), await connect(server, "tls")
        assert await read_all(client.stream) == b""
        assert trio.current_time() - start == pytest.approx(60, abs=1)


async def test_a_tls_handshake_has_ten_seconds_after_the_first_byte(jumping_clock):
    async with fish_server(timeout_s=math.inf) as server:
        client = await connect(server, "tls")
        await trio.sleep(50)
        await client.stream.send_all(b"\x16")
        start = trio.current_time()
        assert await read_all(client.stream) == b""
        assert trio.current_time() - start == pytest.approx(10, abs=1)


@PORTS
@pytest.mark.parametrize(
    ("data", "responses", "timeout_s"),
    [(b'{"action":', 0, 20), (b'{"action":"get_state"}{"action":', 1, 40)],
)
@pytest.mark.usefixtures("short_timeouts")
async def test_half_a_request_and_then_silence_ends_the_connection(
    port, data, responses, timeout_s, jumping_clock
):
    async with fish_server(timeout_s=math.inf) as server:
        start, client = trio.current_time(), await connect(server, port)
        await client.stream.send_all(data)
        assert (await read_all(client.stream)).count(b"\n") == responses
        assert trio.current_time() - start == pytest.approx(timeout_s, abs=2 * CHECK_S)


@pytest.mark.usefixtures("short_timeouts")
async def test_a_player_may_be_silent_while_the_game_goes_on(jumping_clock):
    async with fish_server(timeout_s=math.inf) as server:
        (red,) = await join(server, 1)
        await trio.sleep(40 + 2 * CHECK_S)
        assert await red.ask("is_game_over") == {"is_game_over": False}
        assert await join(server, 1)
