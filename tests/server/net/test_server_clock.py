"""The clock that counts only the time in which the process runs, with a time source of the test."""

from __future__ import annotations

import hashlib
import secrets

import pytest
import trio
from attrs import define
from hypothesis import given
from hypothesis import strategies as st

from tabnet.server.core.pairing.lobby import PUBLIC_WAIT_MS
from tabnet.server.core.players.login_failures import FREE_FAILURES
from tabnet.server.core.service import Service
from tabnet.server.net.hub import Hub
from tabnet.server.net.idle_timeouts import FIRST_LINE_S, IDLE_S, STUCK_S
from tabnet.server.net.passwords import Passwords
from tabnet.server.net.server_clock import CATCH_UP_S, LOOK_S, MAX_GAP_S, ServerClock
from tests.memory_connection import MemoryTransport, connect, seat_two

PAUSE_S = 4000.0
"""Longer than every limit of the server."""


@define
class Source:
    """A time source that stands still until the test moves it."""

    moment: float = 1000.0

    def __call__(self) -> float:
        return self.moment

    async def run(self, seconds: float) -> None:
        """Let time go on while the process runs: the event loop looks at it all the time."""
        while seconds > 0:
            step = min(seconds, LOOK_S)
            self.moment += step
            seconds -= step
            await trio.testing.wait_all_tasks_blocked()

    async def pause(self, seconds: float = PAUSE_S) -> None:
        """Let time go on while the process is stopped; then let it catch up."""
        self.moment += seconds
        await trio.testing.wait_all_tasks_blocked()
        self.moment += CATCH_UP_S


@pytest.fixture
def source():
    """The time that the clock of the event loop looks at."""
    return Source()


@pytest.fixture
def server_clock(source):
    """The clock of the test's own event loop."""
    return ServerClock(source)


# The clock alone


def test_short_gaps_count_and_long_gaps_do_not():
    source = Source()
    clock = ServerClock(source)
    clock.start_clock()
    for seconds, expected in ((0.25, 0.25), (MAX_GAP_S, 1.25), (1.5, 1.25), (3600.0, 1.25)):
        source.moment += seconds
        assert clock.current_time() == pytest.approx(expected)


def test_the_time_to_catch_up_after_a_gap_does_not_count():
    source = Source()
    clock = ServerClock(source)
    source.moment += 10
    assert clock.current_time() == 0
    source.moment += CATCH_UP_S / 2
    assert clock.current_time() == 0
    source.moment += CATCH_UP_S
    assert clock.current_time() == pytest.approx(CATCH_UP_S / 2)


def test_the_time_before_the_event_loop_starts_does_not_count():
    source = Source()
    clock = ServerClock(source)
    source.moment += 0.5
    clock.start_clock()
    assert clock.current_time() == 0


def test_an_idle_event_loop_reads_the_time_at_least_twice_a_second():
    clock = ServerClock(Source())
    assert clock.deadline_to_sleep_time(float("inf")) == LOOK_S <= 0.5
    assert clock.deadline_to_sleep_time(100) == LOOK_S
    assert clock.deadline_to_sleep_time(0.3) == pytest.approx(0.3)
    assert clock.deadline_to_sleep_time(0) == 0
    assert clock.deadline_to_sleep_time(-1) == -1


def test_after_a_gap_timers_wait_until_the_time_counts_again():
    source = Source()
    clock = ServerClock(source)
    source.moment += 10
    assert clock.deadline_to_sleep_time(0.2) == pytest.approx(0.2 + CATCH_UP_S)
    assert clock.deadline_to_sleep_time(0) == 0


@given(st.lists(st.floats(0, 5)))
def test_the_clock_never_goes_back_and_counts_nothing_but_short_gaps(gaps):
    source = Source()
    clock = ServerClock(source)
    last = 0.0
    for gap in gaps:
        source.moment += gap
        now = clock.current_time()
        assert last <= now <= last + (gap if gap <= MAX_GAP_S + 1e-9 else 0) + 1e-9
        last = now


# The server on this clock


def digest(password, salt):
    """Return a digest that costs nothing."""
    return salt + password.encode()


CLOCKS = ({"move": 6}, {"total": 6, "increment": 1})


@pytest.mark.parametrize("clock", CLOCKS)
async def test_a_command_that_waited_during_a_pause_is_on_time(
    house, nursery, source, server_clock, clock
):
    blue, red = await seat_two(house, nursery, clock=clock)
    await source.run(5)
    source.moment += PAUSE_S
    await blue.ask(cmd="roll")
    rolled = await red.until(type="update", seq=2)
    assert rolled["event"]["type"] == "roll"
    handed_over = rolled["turn"] != rolled["initial"]
    left = 6 if "move" in clock else 1 + handed_over
    assert rolled["clock"][rolled["initial"]] == pytest.approx(left, abs=0.01)


@pytest.mark.parametrize("clock", CLOCKS)
async def test_a_clock_runs_out_after_a_pause_when_its_time_has_passed(
    house, nursery, source, server_clock, clock
):
    blue, red = await seat_two(house, nursery, clock=clock)
    await source.run(5)
    await source.pause()
    await source.run(0.9)
    assert (await blue.ask(cmd="state"))["status"] == "playing"
    await source.run(0.2)
    assert (await red.until(type="update", seq=2))["result"]["reason"] == "timeout"


async def test_a_pause_is_not_charged_to_waits(house, nursery, source, server_clock):
    talker = await connect(house, nursery)
    game = (await talker.ask(cmd="join", group=1, size=7))["game"]
    await source.run(PUBLIC_WAIT_MS / 1000 - 1)
    await source.pause()
    assert (await talker.ask(cmd="state"))["status"] == "waiting"
    await source.run(2)
    assert await talker.receive() == {"type": "update", "game": game, "seq": 1, "winner": None}


async def test_a_pause_is_not_charged_to_salts(house, nursery, source, server_clock):
    salt = bytes(16)
    promised = hashlib.sha256(b"tabnet-salt-1" + salt).hexdigest()
    blue, _ = await seat_two(house, nursery, clock={"move": 6}, salt_hash=promised)
    await source.run(5)
    source.moment += PAUSE_S
    assert await blue.ask(cmd="salt", salt=salt.hex()) == {"type": "reply", "cmd": "salt"}


async def test_a_pause_is_not_charged_to_idle_connections(house, nursery, source, server_clock):
    silent, spoken = await connect(house, nursery), await connect(house, nursery)
    await spoken.ask(cmd="ping")
    await source.run(FIRST_LINE_S - 10)
    await source.pause()
    await silent.ask(cmd="ping")
    await source.run(IDLE_S - FIRST_LINE_S)
    for talker in (silent, spoken):
        assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}


async def test_a_pause_is_not_charged_to_a_reader_that_is_slow(
    house, nursery, source, server_clock
):
    transport = MemoryTransport()
    slow = await connect(house, nursery, transport)
    transport.room = 10
    await slow.send(cmd="ping")
    await source.run(STUCK_S - 10)
    await source.pause()
    assert await slow.receive() == {"type": "reply", "cmd": "ping"}


async def test_a_pause_does_not_shorten_the_delay_after_wrong_passwords(
    nursery, source, server_clock
):
    service = Service(secrets.token_bytes)
    hub = Hub(service, passwords=Passwords(service.accounts, digest))
    with hub.outbox.active():
        owner = await connect(hub, nursery, origin="home")
        await owner.ask(cmd="register", nick="zp", password="right")
        guess = {"cmd": "register", "nick": "zp", "password": "wrong"}
        for _ in range(FREE_FAILURES):
            await (await connect(hub, nursery)).ask(**guess)
        await source.pause()
        refused = await (await connect(hub, nursery)).ask(**guess)
    assert (refused["code"], refused["retry_after"]) == ("too_many_logins", 1)


async def test_a_gap_is_left_out_while_the_timeouts_of_matches_fail(
    house, nursery, source, server_clock, monkeypatch, caplog
):
    blue, _ = await seat_two(house, nursery, clock={"move": 6})
    await seat_two(house, nursery, clock={"move": 1})

    def fail(service, now):
        raise RuntimeError("planted")

    with monkeypatch.context() as patch:
        patch.setattr(type(house.service), "apply_timeouts", fail)
        await source.run(5)
        await source.pause()
    assert "planted" in caplog.text
    assert await blue.ask(cmd="roll") == {"type": "reply", "cmd": "roll"}
