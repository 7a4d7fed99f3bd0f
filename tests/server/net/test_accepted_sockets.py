"""The server on real sockets, and what clients do to it."""

from __future__ import annotations

import json
import logging
import socket
import ssl
import struct

import pytest
import trio

from tabnet.errors import StartError
from tabnet.games.tab.state import TabState
from tabnet.protocol.line_splitter import MAX_LINE
from tabnet.server.core.service import Service
from tabnet.server.net import accepted_sockets
from tabnet.server.net.accepted_sockets import (
    LONGEST_PATH,
    get_address,
    open_local_socket,
    open_port,
)
from tests.harness import Talker, running


async def seat_two(first, second):
    """Two guests in one game of Tab; their nicks."""
    joined = await first.ask(cmd="join", group=1, size=7)
    await second.ask(cmd="join", group=1, size=7)
    update = await first.until(type="update", seq=1)
    await second.until(type="update", seq=1)
    assert update["initial"] == joined["nick"]
    return list(update["players"])


async def still_serves(server):
    """The server answers others as if nothing had happened."""
    talker = await server.connect_tls()
    assert await talker.ask(cmd="ping", id=1) == {"type": "reply", "cmd": "ping", "id": 1}


async def reset(stream):
    """Close a TCP connection with a reset instead of a goodbye."""
    stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await trio.aclose_forcefully(stream)


@pytest.mark.parametrize("door", ["connect", "connect_tls"])
async def test_the_server_speaks_first_and_answers(door):
    async with running() as server:
        talker = await getattr(server, door)()
        assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_a_game_between_tls_and_tcp_with_pushed_updates():
    async with running() as server:
        blue, red = await server.connect_tls(), await server.connect()
        nicks = await seat_two(blue, red)
        await blue.send(cmd="roll")
        assert await blue.receive() == {"type": "reply", "cmd": "roll"}
        pushed = [await blue.receive_line(), await red.receive_line()]
        assert pushed[0] == pushed[1]
        assert json.loads(pushed[0])["event"] == {"type": "roll", "player": nicks[0]}


@pytest.mark.parametrize("door", ["connect", "connect_tls"])
async def test_commands_sent_at_once_are_answered_in_order(door):
    async with running() as server:
        talker = await getattr(server, door)()
        lines = [json.dumps({"cmd": "ping", "id": n}).encode() for n in range(2000)]
        await talker.stream.send_all(b"\r\n".join(lines) + b"\n\n")
        assert [(await talker.receive())["id"] for _ in lines] == list(range(2000))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"hello", "not_json"),
        (b"[" * 60_000, "too_deep"),
        (b'{"cmd":"ping","nonsense":1}', "unknown_field"),
    ],
)
async def test_a_bad_line_is_answered_and_the_connection_stays_open(line, code):
    async with running() as server:
        talker = await server.connect_tls()
        await talker.send_line(line)
        answer = await talker.receive()
        assert answer["code"] == code
        assert answer["error"]
        assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


@pytest.mark.parametrize("end", [b"", b"\n"])
async def test_a_line_of_a_megabyte_closes_only_its_own_connection(end):
    async with running() as server:
        talker, other = await server.connect_tls(), await server.connect()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(send_until_closed, talker.stream, b"x" * 1_000_000 + end)
            answer = await talker.receive()
            assert answer["code"] == "line_too_long"
            assert str(MAX_LINE) in answer["error"]
            assert await read_to_the_end(talker) in ([], ["broken"])
            nursery.cancel_scope.cancel()
        assert await other.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def send_until_closed(stream, data):
    try:
        await stream.send_all(data)
    except trio.BrokenResourceError:
        return


async def read_all(stream):
    """The bytes until the server closes, politely or not."""
    data = b""
    try:
        async for more in stream:
            data += more
    except trio.BrokenResourceError:
        return data
    return data


async def read_to_the_end(talker):
    """The frames until the server closes, ending with "broken" if it did so with a reset."""
    frames = []
    try:
        while line := await talker.receive_line():
            frames.append(json.loads(line))
    except trio.BrokenResourceError:
        frames.append("broken")
    return frames


async def test_an_unfinished_last_line_closes_the_connection():
    async with running() as server:
        stream = await server.dial()
        await stream.send_all(b'{"cmd":"ping"}\n{"cmd":"pi')
        await stream.send_eof()
        frames = await read_to_the_end(Talker(stream))
        assert [frame["type"] for frame in frames] == ["hello", "reply"]
        await still_serves(server)


async def test_plain_text_on_the_tls_port_closes_that_connection():
    async with running() as server:
        other = await server.connect_tls()
        stream = await trio.open_tcp_stream(*server.tls)
        async with stream:
            await stream.send_all(b'{"cmd":"ping"}\n')
            assert b"Traceback" not in await read_all(stream)
        assert await other.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_a_reset_during_a_handshake_affects_no_other_client():
    async with running() as server:
        for greeting in (b"", b"\x16\x03\x01\x02\x00\x01"):
            stream = await trio.open_tcp_stream(*server.tls)
            await stream.send_all(greeting)
            await reset(stream)
        await still_serves(server)


async def test_a_missing_handshake_times_out(monkeypatch):
    monkeypatch.setattr(accepted_sockets, "HANDSHAKE_S", 0.05)
    async with running() as server:
        stream = await trio.open_tcp_stream(*server.tls)
        async with stream:
            assert await read_all(stream) == b""


@pytest.mark.parametrize("door", ["connect", "connect_tls"])
async def test_a_reset_during_a_game_makes_the_player_absent(door):
    async with running() as server:
        blue, red = await server.connect(), await getattr(server, door)()
        nicks = await seat_two(blue, red)
        await reset(getattr(red.stream, "transport_stream", red.stream))
        presence = await blue.until(type="presence")
        assert presence["online"] == {nicks[0]: True, nicks[1]: False}
        await still_serves(server)


async def test_quit_is_answered_and_then_the_connection_is_closed():
    async with running() as server:
        for talker in (await server.connect(), await server.connect_tls()):
            await talker.send_line(b'{"cmd":"quit"}\n{"cmd":"ping"}')
            assert await read_to_the_end(talker) == [{"type": "reply", "cmd": "quit"}]


async def test_a_failure_in_one_handler_ends_one_connection_and_is_logged(monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("planted")

    async with running() as server:
        talker, other = await server.connect(), await server.connect()
        with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "tabnet"):
            patch.setattr(Service, "handle", fail)
            await talker.send(cmd="ping")
            frames = await read_to_the_end(talker)
        assert [frame["code"] for frame in frames] == ["server_error"]
        assert "planted" in caplog.text
        assert await other.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_a_match_that_fails_is_closed_and_its_connections_stay_open(monkeypatch, caplog):
    async with running() as server:
        talkers = [await server.connect() for _ in range(2)]
        await seat_two(*talkers)
        (game,) = server.hub.service.games.playing
        with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "tabnet"):
            views, view = iter([lambda _: 1 / 0]), TabState.view

            def fail_once(state):
                return next(views, view)(state)

            patch.setattr(TabState, "view", fail_once)
            reply = await talkers[0].ask(cmd="roll")
        assert (reply["cmd"], reply["code"]) == ("roll", "server_error")
        (record,) = caplog.records
        assert (record.message, record.fields["game"]) == ("failed", game)
        assert record.exc_info[1] is not None
        for talker in talkers:
            closing = await talker.until(type="update", seq=2)
            assert closing["result"]["reason"] == "error"
            assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_a_failure_at_the_very_start_ends_one_connection(monkeypatch, caplog):
    def fail(*_, **__):
        raise RuntimeError("planted")

    async with running() as server:
        with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "tabnet"):
            patch.setattr(Service, "connect", fail)
            assert await read_to_the_end(Talker(await server.dial())) == []
        assert "planted" in caplog.text
        await still_serves(server)


async def test_a_stopping_server_sends_bye_and_stops_in_time():
    async with running() as server:
        reading, deaf = await server.connect_tls(), await server.connect_tls()
        await seat_two(reading, deaf)
        start = trio.current_time()
        server.stop.set()
        assert (await reading.until(type="notice"))["code"] == "stopping"
        server.hub.skip_grace()
        assert (await reading.until(type="bye"))["code"] == "stopping"
        assert await read_to_the_end(reading) == []
        assert trio.current_time() - start < 1


async def test_a_taken_port_is_reported_in_one_sentence():
    doors = await open_port("127.0.0.1", 0, "--tcp-port")
    port = doors[0].socket.getsockname()[1]
    with pytest.raises(StartError) as refused:
        await open_port("127.0.0.1", port, "--tcp-port")
    assert refused.value.text == f"port {port} on 127.0.0.1 is taken"
    assert "--tcp-port" in refused.value.hint
    await doors[0].aclose()


async def test_an_address_of_another_machine_is_refused():
    with pytest.raises(StartError, match=r"cannot listen on 192\.0\.2\.1 port 0"):
        await open_port("192.0.2.1", 0, "--tls-port")


async def test_addresses_are_printed_in_the_usual_notation():
    doors = await open_port("::1", 0, "--tcp-port")
    assert get_address(doors[0]) == f"[::1]:{doors[0].socket.getsockname()[1]}"
    await doors[0].aclose()


async def test_tls_is_version_1_2_or_better():
    async with running() as server:
        talker = await server.connect_tls()
        assert talker.stream.version() in ("TLSv1.2", "TLSv1.3")
        assert ssl.HAS_TLSv1_3
        assert talker.stream.version() == "TLSv1.3"


async def test_a_local_socket_needs_a_short_path_in_a_folder(tmp_path):
    assert await open_local_socket(tmp_path / "absent" / "socket") is None
    long = tmp_path / ("x" * (LONGEST_PATH - len(str(tmp_path))))
    assert await open_local_socket(long) is None
    listener = await open_local_socket(long.with_name(long.name[1:]))
    assert listener is not None
    listener.socket.close()
