"""A server that stops: the end of its matches, with a clock that jumps."""

from __future__ import annotations

import pytest
import trio

from tabnet.server.net.hub import GRACE_S
from tests.memory_connection import MemoryTransport, connect, seat_two


async def test_a_server_without_matches_stops_at_once(house, nursery, autojump_clock):
    talker = await connect(house, nursery)
    await talker.ask(cmd="join", group=1, size=7)
    start = trio.current_time()
    await house.end_matches()
    house.stop()
    assert trio.current_time() == start
    assert (await talker.receive())["type"] == "bye"


async def test_matches_go_on_for_the_grace_period_after_a_notice(house, nursery, autojump_clock):
    blue, red = await seat_two(house, nursery)
    other = await connect(house, nursery)
    start = trio.current_time()
    await house.end_matches()
    assert trio.current_time() - start == pytest.approx(GRACE_S)
    for talker in (blue, red, other):
        notice = await talker.receive()
        assert (notice["type"], notice["code"]) == ("notice", "stopping")
        assert f" in {GRACE_S} seconds" in notice["text"]


async def test_the_server_stops_with_the_last_match(house, nursery, autojump_clock):
    pairs = [await seat_two(house, nursery) for _ in range(2)]
    start = trio.current_time()
    nursery.start_soon(leave_after, pairs[0][0], 1)
    nursery.start_soon(leave_after, pairs[1][1], 2)
    await house.end_matches()
    assert trio.current_time() - start == pytest.approx(2)
    house.stop()
    last = await pairs[1][0].until(type="update")
    assert last["winner"]
    assert (await pairs[1][0].until(type="bye"))["code"] == "stopping"


async def leave_after(talker, seconds):
    await trio.sleep(seconds)
    await talker.send(cmd="leave")


async def test_the_server_stops_when_the_last_clock_has_run_out(house, nursery, autojump_clock):
    await seat_two(house, nursery, clock={"move": 1})
    start = trio.current_time()
    await house.end_matches()
    assert trio.current_time() - start == pytest.approx(1, abs=0.1)


async def test_a_second_signal_ends_the_grace_period(house, nursery, autojump_clock):
    await seat_two(house, nursery)
    start = trio.current_time()
    nursery.start_soon(skip_grace_after, house, 1)
    await house.end_matches()
    assert trio.current_time() - start == pytest.approx(1)


async def skip_grace_after(hub, seconds):
    await trio.sleep(seconds)
    hub.skip_grace()


async def test_a_stopping_server_refuses_only_joins(house, nursery, autojump_clock):
    blue, red = await seat_two(house, nursery)
    nursery.start_soon(house.end_matches)
    assert (await red.receive())["type"] == "notice"
    refused = await red.ask(cmd="join", group=1, size=7)
    assert (refused["code"], refused["error"]) == ("stopping", "the server is stopping")
    assert "error" not in await blue.ask(cmd="roll")
    assert (await red.until(type="update"))["seq"] == 2
    late = await connect(house, nursery)
    assert (await late.ask(cmd="join", group=1, size=7))["code"] == "stopping"
    assert len((await late.ask(cmd="games"))["games"]) == 1


async def test_a_stopped_reader_does_not_delay_the_stop(house, nursery, autojump_clock):
    _, transport = await seat_two(house, nursery), MemoryTransport()
    deaf = await connect(house, nursery, transport)
    transport.room = 0
    await deaf.send(cmd="help")
    start = trio.current_time()
    await house.end_matches()
    assert trio.current_time() - start == pytest.approx(GRACE_S)
