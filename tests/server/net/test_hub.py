"""Time, slow readers and passwords: the hub on links in memory, with a clock that jumps."""

from __future__ import annotations

import json
import logging
from functools import partial

import pytest
import trio

from tabnet.dialects.json_lines import JsonLines
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tabnet.server.core.service import Service
from tabnet.server.net import connection as connection_module
from tabnet.server.net import passwords
from tabnet.server.net.accepted_sockets import serve_transport
from tabnet.server.net.connection import Connection
from tabnet.server.net.idle_timeouts import CHECK_S, FIRST_LINE_S, IDLE_S, STUCK_S
from tabnet.server.net.passwords import MAX_CACHED
from tests.harness import Talker
from tests.memory_connection import MemoryTransport, connect, seat_two


async def test_an_idle_connection_without_a_game_is_closed(house, nursery, autojump_clock):
    talker = await connect(house, nursery)
    await talker.ask(cmd="ping")
    await talker.stream.send_all(b'{"cmd":"half a line')
    start = trio.current_time()
    bye = await talker.receive()
    assert (bye["type"], bye["code"]) == ("bye", "idle")
    assert IDLE_S < trio.current_time() - start <= IDLE_S + CHECK_S
    assert await talker.receive_line() == b""


@pytest.mark.parametrize("said", [b"", b'{"cmd":"ping"}', b"x\ny"])
async def test_a_connection_without_a_complete_line_is_closed_sooner(
    house, nursery, autojump_clock, said
):
    talker, start = await connect(house, nursery), trio.current_time()
    async with trio.open_nursery() as dripping:
        dripping.start_soon(drip, talker, said)
        bye = await talker.until(type="bye")
        dripping.cancel_scope.cancel()
    patience = IDLE_S if b"\n" in said else FIRST_LINE_S
    assert bye["code"] == "idle"
    assert patience < trio.current_time() - start <= patience + 2 * CHECK_S


async def drip(talker, said):
    """Send it a byte at a time, and then spaces."""
    for byte in said:
        await talker.stream.send_all(bytes([byte]))
    while True:
        await trio.sleep(1)
        await talker.stream.send_all(b" ")


async def test_players_and_spectators_may_be_silent(house, nursery, autojump_clock):
    blue, red = await seat_two(house, nursery, clock={"move": 3600})
    watcher = await connect(house, nursery)
    game = (await watcher.ask(cmd="games"))["games"][0]["game"]
    await watcher.ask(cmd="update", game=game)
    await trio.sleep(3000)
    for talker in (blue, red, watcher):
        assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_a_waiting_house_bot_is_not_idle(house, nursery, hashed, autojump_clock):
    (nick,) = make_nicks("greedy", 1)
    house.service.opponents = HouseBots({"greedy": (nick,)}, origin="memory")
    house.service.accounts.set_proof(nick, house.service.opponents.set_password(nick, "secret"))
    bot = await connect(house, nursery)
    assert "error" not in await bot.ask(cmd="register", nick=nick, password="secret")
    await bot.send(cmd="join")
    await trio.sleep(3000)
    guest = await connect(house, nursery)
    joined = await guest.ask(cmd="join", kind="draughts", opponent="greedy")
    assert (await bot.receive())["game"] == joined["game"]


async def test_whole_lines_keep_a_connection_open(house, nursery, autojump_clock):
    talker = await connect(house, nursery)
    await talker.ask(cmd="ping")
    for _ in range(4):
        await trio.sleep(IDLE_S * 0.9)
        assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_a_clock_runs_out_by_itself_in_time(house, nursery, autojump_clock):
    blue, red = await seat_two(house, nursery)
    start = trio.current_time()
    last = await red.until(type="update", seq=2)
    assert trio.current_time() - start == pytest.approx(120, abs=0.01)
    assert last["result"]["reason"] == "timeout"
    assert last["winner"] == list(last["players"])[1]
    assert (await blue.until(type="update", seq=2))["winner"] == last["winner"]


async def test_an_earlier_deadline_wakes_the_timer(house, nursery, autojump_clock):
    await seat_two(house, nursery)
    _, red = await seat_two(house, nursery, clock={"move": 1})
    start = trio.current_time()
    assert (await red.until(type="update", seq=2))["result"]["reason"] == "timeout"
    assert trio.current_time() - start == pytest.approx(1, abs=0.01)


async def test_a_wait_ends_by_itself(house, nursery, autojump_clock):
    talker = await connect(house, nursery)
    game = (await talker.ask(cmd="join", group=1, size=7))["game"]
    start = trio.current_time()
    assert await talker.receive() == {"type": "update", "game": game, "seq": 1, "winner": None}
    assert trio.current_time() - start == pytest.approx(120, abs=0.01)


async def test_a_failing_tick_is_logged_and_later_timeouts_apply(
    house, nursery, autojump_clock, caplog
):
    talker = await connect(house, nursery)
    tick = type(house.service).apply_timeouts
    failures = iter([RuntimeError("planted")])

    def fail_once(service, now):
        for error in failures:
            raise error
        return tick(service, now)

    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.ERROR, "tabnet"):
        await talker.ask(cmd="join", group=1, size=7)
        patch.setattr(type(house.service), "apply_timeouts", fail_once)
        assert (await talker.receive())["winner"] is None
    assert "planted" in caplog.text


async def test_a_stopped_reader_is_disconnected_without_delaying_others(
    house, nursery, autojump_clock, monkeypatch, caplog
):
    monkeypatch.setattr(connection_module, "MAX_QUEUED", 20_000)
    blue, red = await seat_two(house, nursery)
    transport = MemoryTransport()
    deaf = await connect(house, nursery, transport)
    game = (await blue.ask(cmd="state"))["game"]
    await deaf.ask(cmd="update", game=game)
    transport.room = 5_000
    start = trio.current_time()
    with caplog.at_level(logging.INFO, "tabnet"):
        for talker in [blue, red] * 40:
            choices = await talker.ask(cmd="moves")
            for action in choices["actions"]:
                move = choices["moves"][0] if action == "notify" else {}
                await talker.ask(cmd=action, **move)
    assert trio.current_time() == start
    assert "too slow" in [record.message for record in caplog.records]
    assert len(house.outbox.connections) == 2
    assert transport.closed


async def test_a_client_that_never_reads_is_disconnected(house, nursery, autojump_clock):
    transport = MemoryTransport()
    deaf = await connect(house, nursery, transport)
    transport.room = 10
    start = trio.current_time()
    await deaf.send(cmd="ping")
    with trio.fail_after(2 * STUCK_S):
        await transport.wait_closed()
    assert STUCK_S < trio.current_time() - start <= STUCK_S + 2 * CHECK_S
    assert not house.outbox.connections


async def test_a_slow_reader_receives_everything(house, nursery, autojump_clock):
    transport = MemoryTransport(room=1000)
    nursery.start_soon(partial(serve_transport, JsonLines(house).converse, transport, "memory"))
    slow = Talker(transport.client)
    assert (await slow.receive())["type"] == "hello"
    for number in range(100):
        await slow.send(cmd="help", id=number)
    frames = []
    while len(frames) < 100:
        await trio.sleep(STUCK_S * 0.3)
        frames.append(await slow.receive())
    assert [frame["id"] for frame in frames] == list(range(100))


async def test_the_last_command_is_answered_before_the_disconnect(house, nursery):
    transport = MemoryTransport(room=100)
    nursery.start_soon(partial(serve_transport, JsonLines(house).converse, transport, "memory"))
    talker = Talker(transport.client)
    for number in range(20):
        await talker.send(cmd="ping", id=number)
    await talker.stream.send_all(b"")
    replies = []
    while line := await talker.receive_line():
        replies.append(json.loads(line).get("id"))
    assert replies == [None, *range(20)]


async def test_an_outbox_larger_than_a_batch_is_sent_in_pieces(house, nursery, monkeypatch):
    monkeypatch.setattr(connection_module, "BATCH", 200)
    talker = await connect(house, nursery)
    await talker.stream.send_all(b'{"cmd":"help"}\n' * 5 + b'{"cmd":"quit"}\n')
    frames = [await talker.receive() for _ in range(6)]
    assert [frame["cmd"] for frame in frames] == ["help"] * 5 + ["quit"]
    assert await talker.receive_line() == b""


async def test_a_new_connection_is_refused_while_the_server_stops(house, nursery):
    house.stop()
    talker = await connect(house, nursery)
    assert (await talker.receive())["code"] == "stopping"
    assert await talker.receive_line() == b""


async def test_the_idle_timeout_begins_when_the_last_game_ends(house, nursery, autojump_clock):
    blue, red = await seat_two(house, nursery, clock={"move": 1000})
    await trio.sleep(900)
    await blue.send(cmd="leave")
    await red.until(type="update", seq=2)
    end = trio.current_time()
    bye = await red.receive()
    assert bye["code"] == "idle"
    assert IDLE_S - CHECK_S <= trio.current_time() - end <= IDLE_S + CHECK_S


async def test_a_password_is_hashed_once_on_a_connection(house, nursery, hashed, autojump_clock):
    talker = await connect(house, nursery)
    zp = {"nick": "zp", "password": "secret"}
    assert await talker.ask(cmd="register", **zp) == {"type": "reply", "cmd": "register"}
    for _ in range(5):
        assert "error" not in await talker.ask(cmd="join", group=1, size=7, **zp)
    assert hashed == ["secret"]
    other = await connect(house, nursery)
    wrong = await other.ask(cmd="join", group=1, size=7, nick="zp", password="guess")
    assert wrong["code"] == "wrong_password"
    assert hashed == ["secret", "guess"]


async def test_an_unregistered_nick_is_refused_without_hashing(
    house, nursery, hashed, autojump_clock
):
    talker = await connect(house, nursery)
    refused = await talker.ask(cmd="join", group=1, size=7, nick="zp", password="secret")
    assert refused["code"] == "not_registered"
    assert hashed == []


async def test_a_connection_remembers_few_passwords(house, nursery, hashed, autojump_clock):
    talker = await connect(house, nursery)
    for n in range(MAX_CACHED + 1):
        await talker.ask(cmd="register", nick=f"player {n}", password="secret")
    (connection,) = house.outbox.connections.values()
    assert len(connection.proofs) == 1


async def test_two_registrations_of_a_nick_at_once_make_one_account(
    house, nursery, hashed, autojump_clock
):
    first, second = [await connect(house, nursery, origin=origin) for origin in "ab"]
    await first.send(cmd="register", nick="zp", password="one")
    await second.send(cmd="register", nick="zp", password="two")
    answers = [await first.receive(), await second.receive()]
    assert sorted("error" in answer for answer in answers) == [False, True]
    assert hashed == ["one", "two"]


def test_scrypt_is_salted_and_the_same_every_time():
    assert passwords.digest_password("secret", b"a" * 16) == passwords.digest_password(
        "secret", b"a" * 16
    )
    assert passwords.digest_password("secret", b"a" * 16) != passwords.digest_password(
        "secret", b"b" * 16
    )


async def test_logs_never_hold_a_password_or_a_token(
    house, nursery, hashed, autojump_clock, caplog
):
    with caplog.at_level(logging.DEBUG, "tabnet"):
        blue, red = await connect(house, nursery), await connect(house, nursery)
        tokens = []
        for talker, nick in ((blue, "zp"), (red, "jpleal")):
            await talker.ask(cmd="register", nick=nick, password="topsecret")
            tokens.append((await talker.ask(cmd="join", group=1, size=7))["token"])
        await red.ask(cmd="roll", token=tokens[1])
        await red.ask(cmd="leave", token=tokens[1])
        await red.ask(cmd="register", nick="zp", password="topguess")
    told = [(record.message, str(record.fields)) for record in caplog.records]
    assert [event for event, _ in told if event in ("register", "pair", "end")] == [
        "register",
        "register",
        "pair",
        "end",
    ]
    assert [event for event, _ in told].count("refuse") == 2
    for secret in ("topsecret", "topguess", *tokens):
        assert secret not in str(told)


async def test_a_failure_in_sending_ends_one_connection_and_is_logged(house, nursery, caplog):
    transport, other = MemoryTransport(), await connect(house, nursery)
    talker = await connect(house, nursery, transport)

    def fail(_):
        raise RuntimeError("planted")

    transport.send = fail
    with caplog.at_level(logging.ERROR, "tabnet"):
        await talker.send(cmd="ping")
        assert await talker.receive_line() == b""
    assert "planted" in caplog.text
    assert await other.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_a_client_lost_during_a_send_is_disconnected(house, nursery):
    def reset(_):
        raise ConnectionResetError

    for room in (float("inf"), 100):
        transport = MemoryTransport()
        talker = await connect(house, nursery, transport)
        transport.room = room
        if room == 100:
            await talker.send(cmd="help")
            await trio.testing.wait_all_tasks_blocked()
        transport.send = reset
        await talker.send(cmd="ping")
        transport.make_room(float("inf"))
        await transport.wait_closed()
        assert not house.outbox.connections


async def test_many_lines_at_once_do_not_delay_other_clients(house, nursery, monkeypatch):
    eager, other = await connect(house, nursery), await connect(house, nursery)
    handled, handle = [], Service.handle

    def spy(service, session, *rest):
        if not handled:
            other.stream.transport.deliver(b'{"cmd":"ping"}\n')
        handled.append(session)
        return handle(service, session, *rest)

    monkeypatch.setattr(Service, "handle", spy)
    await eager.stream.send_all(b'{"cmd":"ping","id":1}\n' * 50)
    for _ in range(50):
        await eager.receive()
    assert handled.index(max(handled)) < 10


async def test_a_dialect_that_cannot_encode_a_frame_costs_only_its_own_connections(
    house, nursery, caplog
):
    def fail(frame):
        raise RuntimeError("planted")

    blue, red = await seat_two(house, nursery)
    game = (await blue.ask(cmd="state"))["game"]
    transport = MemoryTransport()

    async def follow():
        async with house.register(Connection, fail, "memory:1", transport) as connection:
            house.service.sessions.follow(house.service.sessions[connection.number], game)
            await trio.sleep_forever()

    nursery.start_soon(serve_transport, lambda *_: follow(), transport, "memory:1")
    await trio.testing.wait_all_tasks_blocked()
    with caplog.at_level(logging.ERROR, "tabnet"):
        assert await blue.ask(cmd="roll") == {"type": "reply", "cmd": "roll"}
        assert (await red.until(type="update", seq=2))["event"]["type"] == "roll"
    assert "planted" in caplog.text
    await transport.wait_closed()
