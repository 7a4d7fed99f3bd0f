"""Histories on connections in memory, with a clock that jumps."""

from __future__ import annotations

import json
import logging

import pytest
import trio

from tabnet.server.core.costs.byte_budget import SESSION_BURST, SESSION_BYTES_PER_S, ByteBudgets
from tabnet.server.net import connection as connection_module
from tabnet.server.net import pending_history
from tabnet.server.net.connection import MAX_HISTORIES, PORTION
from tabnet.server.net.idle_timeouts import STUCK_S
from tests.memory_connection import MemoryTransport, connect, seat_two


async def play(players, events):
    """Let two players of Tab make the first move there is, until so many events have happened."""
    while True:
        state = (await players[0].ask(cmd="state"))["update"]
        if state["seq"] >= events:
            return
        talker = players[[*state["players"]].index(state["turn"])]
        choices = await talker.ask(cmd="moves")
        move = choices["moves"][0] if choices["actions"] == ["notify"] else {}
        await talker.ask(cmd=choices["actions"][0], **move)


@pytest.fixture
async def match(house, nursery):
    """Two players whose match has 60 events."""
    players = await seat_two(house, nursery, clock={"total": 86400})
    await play(players, 60)
    return players


async def game_of(talker):
    return (await talker.ask(cmd="state"))["game"]


async def updates(talker, last):
    """The numbers of the updates that come, up to `last`."""
    numbers = []
    while not numbers or numbers[-1] < last:
        frame = await talker.receive()
        if frame["type"] == "update":
            numbers.append(frame["seq"])
    return numbers


async def reader(house, nursery, game, room=float("inf")):
    """A client that has asked for the whole history; its transport has so much room."""
    transport = MemoryTransport()
    talker = await connect(house, nursery, transport)
    transport.room = room
    await talker.send(cmd="update", game=game, since=0)
    return talker


@pytest.fixture
def spend(monkeypatch):
    """Let every session begin with so many bytes used up."""
    opened = ByteBudgets.open

    def spend(size):
        def poor(*arguments, **options):
            budget = opened(*arguments, **options)
            budget.spend(size)
            return budget

        monkeypatch.setattr(ByteBudgets, "open", poor)

    return spend


async def test_a_whole_history_is_sent_in_order(house, nursery, autojump_clock, match):
    talker = await reader(house, nursery, await game_of(match[0]))
    assert await updates(talker, 60) == list(range(1, 61))


async def test_updates_made_meanwhile_follow_the_history_in_order(
    house, nursery, autojump_clock, match
):
    talker = await reader(house, nursery, await game_of(match[0]), room=2000)
    assert await updates(talker, 10) == list(range(1, 11))
    await play(match, 70)
    assert await updates(talker, 70) == list(range(11, 71))
    await play(match, 71)
    assert await updates(talker, 71) == [71]


async def test_a_match_that_ends_meanwhile_still_sends_its_last_update(
    house, nursery, autojump_clock, match
):
    talker = await reader(house, nursery, await game_of(match[0]), room=2000)
    await match[0].ask(cmd="leave")
    assert await updates(talker, 61) == list(range(1, 62))


async def test_a_history_is_encoded_no_faster_than_it_is_read(
    house, nursery, autojump_clock, match, monkeypatch
):
    made, update = [], pending_history.make_update
    monkeypatch.setattr(
        pending_history, "make_update", lambda match, seq: made.append(seq) or update(match, seq)
    )
    talker = await reader(house, nursery, await game_of(match[0]), room=2000)
    await updates(talker, 5)
    await trio.testing.wait_all_tasks_blocked()
    in_advance = made[-1] - 5
    assert in_advance * 1000 < 3 * PORTION


async def test_a_session_over_its_budget_gets_its_rate(
    house, nursery, autojump_clock, match, spend
):
    spend(SESSION_BURST)
    start = trio.current_time()
    talker = await reader(house, nursery, await game_of(match[0]))
    size = 0
    for _ in range(61):
        size += len(await talker.receive_line())
    seconds = trio.current_time() - start
    assert seconds == pytest.approx((size - PORTION) / SESSION_BYTES_PER_S, rel=0.4)


async def test_commands_precede_the_history_of_a_session_over_its_budget(
    house, nursery, autojump_clock, match, spend
):
    spend(SESSION_BURST)
    talker = await reader(house, nursery, await game_of(match[0]))
    await updates(talker, 2)
    await talker.send(cmd="ping", id=7)
    numbers = []
    while (frame := await talker.receive()).get("id") != 7:
        numbers.append(frame["seq"])
    assert len(numbers) < 40
    assert await updates(talker, 60) == list(range(3 + len(numbers), 61))


async def test_a_turn_follows_the_update_of_its_position(house, nursery, autojump_clock, spend):
    spend(SESSION_BURST)
    joins = {"cmd": "join", "kind": "draughts"}
    player, opponent = await connect(house, nursery), await connect(house, nursery)
    seat = await player.ask(**joins)
    await opponent.ask(**joins)
    talker = await connect(house, nursery)
    asked = {"cmd": "update", "game": seat["game"], "token": seat["token"], "feed": "turns"}
    for _ in range(3):
        await talker.send(**asked)
    frames = [await talker.receive() for _ in range(9)]
    own = [frame["type"] for frame in frames if frame["type"] in ("update", "turn")]
    assert own == ["update", "turn"] * 3


async def test_a_response_waits_while_its_session_owes_bytes(house, nursery, autojump_clock, spend):
    spend(SESSION_BURST + 10 * SESSION_BYTES_PER_S)
    start = trio.current_time()
    talker = await connect(house, nursery)
    assert trio.current_time() == start
    assert (await talker.ask(cmd="ping"))["cmd"] == "ping"
    assert trio.current_time() - start == pytest.approx(10, abs=0.1)


async def test_simultaneous_histories_are_sent_one_after_the_other(
    house, nursery, autojump_clock, match
):
    game = await game_of(match[0])
    talker = await reader(house, nursery, game, room=2000)
    for _ in range(2 * MAX_HISTORIES):
        await talker.send(cmd="update", game=game, since=0)
    for _ in range(2 * MAX_HISTORIES + 1):
        assert await updates(talker, 60) == list(range(1, 61))
    assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_the_number_of_commands_that_wait_for_replies_is_bounded(house, nursery, monkeypatch):
    monkeypatch.setattr(connection_module, "MAX_UNANSWERED", 3)
    talker = await connect(house, nursery)
    await talker.stream.send_all(b'{"cmd":"ping"}\n' * 10)
    assert [(await talker.receive())["cmd"] for _ in range(10)] == ["ping"] * 10


async def test_a_history_is_sent_whole_before_the_connection_closes(
    house, nursery, autojump_clock, match
):
    talker = await reader(house, nursery, await game_of(match[0]), room=2000)
    await talker.send(cmd="quit")
    numbers = []
    while line := await talker.receive_line():
        frame = json.loads(line)
        numbers += [frame["seq"]] if frame["type"] == "update" else []
    assert numbers == list(range(1, 61))


async def test_a_stopped_reader_is_disconnected(house, nursery, autojump_clock, match):
    transport = MemoryTransport()
    talker = await connect(house, nursery, transport)
    transport.room = 2000
    start = trio.current_time()
    await talker.send(cmd="update", game=await game_of(match[0]), since=0)
    await transport.wait_closed()
    assert STUCK_S <= trio.current_time() - start <= 2 * STUCK_S


async def test_an_update_that_cannot_be_encoded_ends_one_connection(
    house, nursery, autojump_clock, match, monkeypatch, caplog
):
    def fail(match, seq):
        if seq > 40:
            raise RuntimeError("planted")
        return update(match, seq)

    update = pending_history.make_update
    monkeypatch.setattr(pending_history, "make_update", fail)
    talker = await reader(house, nursery, await game_of(match[0]))
    with caplog.at_level(logging.ERROR, "tabnet"):
        while await talker.receive_line():
            pass
    assert "planted" in caplog.text
    assert await match[0].ask(cmd="ping") == {"type": "reply", "cmd": "ping"}
