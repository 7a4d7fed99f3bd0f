"""Server-sent events: updates, the end of a stream, and presence."""

from __future__ import annotations

import json
import math
import random
import struct
import time

import pytest
import trio

from tabnet.dialects.web.sse import HEARTBEAT_S
from tabnet.server.net import connection as connection_module
from tabnet.server.net.idle_timeouts import CHECK_S, STUCK_S
from tests.dialects.web.raw import Wire, dial, follow, get, post
from tests.harness import running
from tests.memory_connection import MemoryTransport, connect, seat_two
from tests.polling import until_async

ZP = {"nick": "zp", "password": "secret"}
JPLEAL = {"nick": "jpleal", "password": "another"}
TERMS = {"group": 1, "size": 7}


async def registered(server):
    for player in (ZP, JPLEAL):
        assert (await post(server, "/register", **player)).status == 200


async def joined(server, player=ZP):
    return (await post(server, "/join", **player, **TERMS)).json["game"]


async def begun(server):
    """A game of zp and jpleal, who follow nothing yet."""
    await registered(server)
    game = await joined(server)
    assert await joined(server, JPLEAL) == game
    return game


def path(game, nick="zp"):
    return f"/update?nick={nick}&game={game}"


async def over(server, game):
    assert (await post(server, "/leave", **ZP, game=game)).json == {}


async def test_the_state_of_a_running_match_is_sent_at_once():
    async with running() as server:
        game = await begun(server)
        await post(server, "/roll", **ZP, game=game)
        event = await (await follow(server, path(game))).event()
        assert event.id == "2"
        assert event.data["dice"] is not None


async def test_all_streams_of_a_player_receive_the_same_events():
    async with running() as server:
        game = await begun(server)
        streams = [await follow(server, path(game)) for _ in range(5)]
        assert len({str(await stream.event()) for stream in streams}) == 1
        await over(server, game)
        assert len({str(await stream.event()) for stream in streams}) == 1
        assert all([await stream.closed() for stream in streams])


async def test_missed_events_are_sent_first():
    async with running() as server:
        game = await begun(server)
        first = await (await follow(server, path(game))).event()
        await post(server, "/roll", **ZP, game=game)
        await over(server, game)
        again = await follow(server, path(game), Last_Event_ID=first.id)
        events = [await again.event() for _ in range(2)]
        assert [event.id for event in events] == ["2", "3"]
        assert "winner" not in events[0].data
        assert events[1].data["winner"] == "jpleal"
        assert await again.closed()


@pytest.mark.parametrize("door", ["/update", "/v1/updates"])
async def test_a_finished_and_seen_game_sends_no_more_events(door):
    async with running() as server:
        game = await begun(server)
        await over(server, game)
        target = f"{door}?nick=zp&game={game}" if door == "/update" else f"{door}?game={game}"
        last = await (await follow(server, target)).event()
        assert last.id == "2"
        answer = await get(server, target, Last_Event_ID="2")
        assert (answer.status, answer.body) == (204, b"")
        anybody = "*" if door == "/update" else None
        assert answer.headers.get("access-control-allow-origin") == anybody


@pytest.mark.parametrize("door", ["/update", "/v1/updates"])
async def test_the_stream_of_a_left_wait_ends(door):
    async with running() as server:
        await registered(server)
        game = await joined(server)
        stream = await follow(server, f"{door}?game={game}")
        await over(server, game)
        event = await stream.event()
        assert (event.id, event.data["winner"]) == ("1", None)
        assert await stream.closed()
        assert (await get(server, f"{door}?game={game}", Last_Event_ID="1")).status == 204
        assert (await get(server, f"{door}?game={game}")).status == 400


@pytest.mark.parametrize("seen", ["", "x", "-1", "9" * 40, "²"])
async def test_a_last_event_id_that_is_not_a_number_is_ignored(seen):
    async with running() as server:
        game = await begun(server)
        wire = await dial(server)
        head = f"GET {path(game)} HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: {seen}\r\n\r\n"
        await wire.stream.send_all(head.encode("latin-1"))
        assert (await wire.head())[0] == 200
        assert (await wire.event()).id == "1"


async def test_a_refused_stream_ends_with_the_refusal():
    async with running() as server:
        game = await begun(server)
        wire = await dial(server)
        answer = await wire.request("GET", path(game), Last_Event_ID="7")
        assert (answer.status, answer.headers["connection"]) == (400, "close")
        assert "since is more than 1" in answer.json["error"]
        assert await wire.closed()


async def test_a_refused_stream_receives_only_the_refusal(visit, house, autojump_clock, caplog):
    transport = MemoryTransport(room=0)
    await visit(transport).send("GET", "/update?game=x&nick=zp")
    await trio.testing.wait_all_tasks_blocked()
    house.stop()
    transport.make_room(1000)
    sent = await transport.read()
    assert sent.startswith(b"HTTP/1.1 400 ")
    assert sent.endswith(b'{"error":"Invalid game reference"}')
    assert "failed" not in caplog.text


async def test_a_stream_makes_a_player_present_and_a_request_does_not():
    async with running() as server:
        watcher = await server.connect()
        game = await begun(server)
        await watcher.ask(cmd="update", game=game)
        state = await watcher.ask(cmd="state", game=game)
        assert state["online"] == {"zp": False, "jpleal": False}
        stream = await follow(server, path(game))
        told = await watcher.until(type="presence")
        assert told["online"] == {"zp": True, "jpleal": False}
        await post(server, "/roll", **ZP, game=game)
        await stream.stream.aclose()
        told = await watcher.until(type="presence")
        assert told["online"] == {"zp": False, "jpleal": False}
        state = await watcher.ask(cmd="state", game=game)
        assert (state["status"], state["update"]["seq"]) == ("playing", 2)


async def test_a_guest_of_a_single_request_keeps_waiting():
    async with running() as server:
        await registered(server)
        game = await joined(server)
        guest = (await post(server, "/v1", cmd="join", kind="draughts")).json
        assert await joined(server) == game
        states = [await post(server, "/v1", cmd="state", game=id) for id in (game, guest["game"])]
        assert [state.json["status"] for state in states] == ["waiting", "waiting"]


# Native


async def test_native_streams_send_the_same_lines_as_other_connections():
    async with running() as server:
        talker = await server.connect()
        game = await begun(server)
        await talker.ask(cmd="update", game=game, since=0)
        stream = await follow(server, f"/v1/updates?game={game}&since=0")
        for number in (1, 2, 3):
            if number == 2:
                await post(server, "/roll", **ZP, game=game)
            elif number == 3:
                await over(server, game)
            event = await stream.event()
            assert event.id == str(number)
            assert event.data == await talker.until(type="update")
        assert await stream.closed()


async def test_a_token_makes_its_player_present():
    async with running() as server:
        first = (await post(server, "/v1", cmd="join", **TERMS)).json
        stream = await follow(server, f"/v1/updates?game={first['game']}&token={first['token']}")
        second = await server.connect()
        nick = (await second.ask(cmd="join", **TERMS))["nick"]
        assert (await stream.event()).data["players"] == {first["nick"]: "Blue", nick: "Red"}
        await second.stream.aclose()
        event = await stream.event()
        assert event.id is None
        online = {first["nick"]: True, nick: False}
        assert event.data == {"type": "presence", "game": first["game"], "online": online}


async def test_a_stream_of_turns():
    async with running() as server:
        joins = {"cmd": "join", "kind": "draughts"}
        seat = (await post(server, "/v1", **joins)).json
        query = f"game={seat['game']}&token={seat['token']}&feed=turns"
        stream = await follow(server, f"/v1/updates?{query}")
        await (await server.connect()).ask(**joins)
        assert (await stream.event()).data["type"] == "update"
        event = await stream.event()
        assert (event.id, event.data["type"]) == ("1", "turn")
        played = await post(server, "/v1", **event.data["moves"][0], token=seat["token"])
        assert "error" not in played.json


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "undefined_field"),
        ("?token=x", "undefined_field"),
        ("?game=", "bad_value"),
        ("?game=x&since=one", "wrong_type"),
        ("?game=x", "unknown_game"),
        ("?game=x&token=y", "bad_token"),
    ],
)
async def test_a_refused_native_stream_receives_a_native_reply(query, code):
    async with running() as server:
        answer = await get(server, f"/v1/updates{query}")
        assert answer.status == (401 if code == "bad_token" else 400)
        told = {name: answer.json[name] for name in ("type", "cmd", "code")}
        assert told == {"type": "reply", "cmd": "update", "code": code}


async def test_a_stream_receives_the_end_of_the_server():
    async with running() as server:
        game = await begun(server)
        native = await follow(server, f"/v1/updates?game={game}")
        await native.event()
        server.stop.set()
        assert (await native.event()).data["type"] == "notice"
        server.hub.skip_grace()
        assert (await native.event()).data["code"] == "stopping"
        assert await native.closed()


async def test_a_game_over_http_and_tcp_reaches_its_end():
    async with running("over two doors") as server, trio.open_nursery() as nursery:
        await post(server, "/register", **ZP)
        talker = await server.connect()
        game = await joined(server)
        stream = await follow(server, path(game))
        nursery.start_soon(play_over_tcp, talker)
        wire, luck = await dial(server), random.Random(1)
        while "winner" not in (update := (await stream.event()).data):
            if update["turn"] == "zp":
                asked = json.dumps({"cmd": "moves", "game": game}).encode()
                choices = (await wire.request("POST", "/v1", asked)).json
                action, fields = choices["actions"][0], {}
                if action == "notify":
                    cell = "to" if update["step"] == "to" else "cell"
                    fields = {"cell": luck.choice(choices["moves"])[cell]}
                body = json.dumps({**ZP, "game": game, **fields}).encode()
                assert (await wire.request("POST", f"/{action}", body)).json == {}
        assert await stream.closed()
        assert update["turn"] is None
        assert len({piece["color"] for piece in update["pieces"] if piece}) == 1


async def play_moves(server, game, events):
    """Make the first move there is, until the game has so many events."""
    wire = await dial(server)

    async def ask(**command):
        return (
            await wire.request("POST", "/v1", json.dumps({**command, "game": game}).encode())
        ).json

    while (update := (await ask(cmd="state"))["update"])["seq"] < events:
        choices = await ask(cmd="moves")
        move = choices["moves"][0] if choices["actions"] == ["notify"] else {}
        player = {"zp": ZP, "jpleal": JPLEAL}[update["turn"]]
        await ask(cmd=choices["actions"][0], **move, **player)


async def play_over_tcp(talker):
    """Join, and play at random until somebody has won."""
    nick, luck = (await talker.ask(cmd="join", **TERMS, auto=True))["nick"], random.Random(2)
    while "winner" not in (update := await talker.until(type="update")):
        if update["turn"] == nick and update["expects"] == "notify":
            await talker.send(cmd="moves", id="moves")
            choices = await talker.until(id="moves")
            await talker.send(cmd="notify", **luck.choice(choices["moves"]))


# Readers that are slow, or gone


async def test_an_idle_stream_receives_comments(visit, house, nursery, autojump_clock):
    blue, _ = await seat_two(house, nursery)
    game = (await blue.ask(cmd="state"))["game"]
    stream = visit()
    await stream.send("GET", f"/update?game={game}")
    assert (await stream.head())[0] == 200
    await stream.event()
    start = trio.current_time()
    for number in (1, 2, 3):
        assert (await stream.event()).comment == ""
        assert trio.current_time() - start <= number * HEARTBEAT_S + 0.01
    assert trio.current_time() - start > 2 * HEARTBEAT_S


async def test_a_stream_that_waits_for_an_opponent_is_not_idle(
    visit, house, nursery, autojump_clock
):
    talker = await connect(house, nursery)
    game = (await talker.ask(cmd="join", **TERMS, private=True))["game"]
    stream = visit()
    await stream.send("GET", f"/update?game={game}")
    await stream.head()
    await trio.sleep(1000)
    assert len(house.outbox.connections) == 2


async def test_a_stopped_reader_is_disconnected_without_delaying_others(
    visit, house, nursery, autojump_clock, monkeypatch
):
    monkeypatch.setattr(connection_module, "MAX_QUEUED", 20_000)
    blue, red = await seat_two(house, nursery)
    game = (await blue.ask(cmd="state"))["game"]
    transport = MemoryTransport()
    stream = visit(transport)
    await stream.send("GET", f"/v1/updates?game={game}")
    await stream.head()
    transport.room = 5_000
    start = trio.current_time()
    for talker in [blue, red] * 40:
        choices = await talker.ask(cmd="moves")
        for action in choices["actions"]:
            move = choices["moves"][0] if action == "notify" else {}
            await talker.ask(cmd=action, **move)
    assert trio.current_time() == start
    assert transport.closed
    assert len(house.outbox.connections) == 2


async def test_a_stream_that_is_never_read_is_closed(visit, house, nursery, autojump_clock):
    blue, _ = await seat_two(house, nursery)
    game = (await blue.ask(cmd="state"))["game"]
    transport = MemoryTransport(room=10)
    stream = visit(transport)
    start = trio.current_time()
    await stream.send("GET", f"/update?game={game}")
    with trio.fail_after(2 * STUCK_S):
        await transport.wait_closed()
    assert trio.current_time() - start <= STUCK_S + 2 * CHECK_S


async def test_a_request_during_a_stream_closes_the_connection():
    async with running() as server:
        game = await begun(server)
        stream = await follow(server, path(game))
        await stream.event()
        await stream.stream.send_all(b"and another thing")
        assert await stream.closed()


async def test_open_streams_do_not_delay_a_stop():
    async with running() as server:
        game = await begun(server)
        deaf = []
        for _ in range(20):
            stream = await trio.open_tcp_stream(*server.http)
            server.streams.append(stream)
            stream.socket.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_RCVBUF, 2048)
            wire = Wire(stream)
            await wire.send("GET", f"/v1/updates?game={game}")
            deaf.append(wire)
        await follow(server, path(game))
        await play_moves(server, game, 120)
        connections = server.hub.outbox.connections.values()
        assert sum(connection.stuck_since < math.inf for connection in connections) >= 10
        start = time.monotonic()
        server.hub.skip_grace()
        server.stop.set()
        await until_async(lambda: not server.hub.outbox.connections)
        assert time.monotonic() - start < 2


async def test_a_stream_sends_a_long_history_in_order_and_ends_with_the_game(monkeypatch):
    monkeypatch.setattr(connection_module, "PORTION", 1000)
    async with running() as server:
        game = await begun(server)
        for number in range(4):
            await post(server, "/v1", cmd="draw", offer=number % 2 == 0, game=game, **ZP)
        stream = await follow(server, f"/v1/updates?game={game}&since=0")
        assert (await stream.event()).id == "1"
        await post(server, "/v1", cmd="leave", game=game, **ZP)
        events = []
        while not events or "winner" not in events[-1].data:
            event = await stream.event()
            events += [event] if event.id else []
        assert [event.id for event in events] == ["2", "3", "4", "5", "6"]
        assert await stream.closed()


async def test_a_stream_that_is_reset_is_disconnected():
    async with running() as server:
        game = await begun(server)
        stream = await follow(server, path(game))
        linger = struct.pack("ii", 1, 0)
        stream.stream.socket.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, linger)
        await trio.aclose_forcefully(stream.stream)
        await until_async(lambda: not server.hub.service.sessions.followers(game))
        assert (await post(server, "/roll", **ZP, game=game)).status == 200
