"""A referee whose process is stopped again and again: no bot loses by it."""

from __future__ import annotations

import time

import pytest
from attrs import define

from tabnet.server.net.server_clock import CATCH_UP_S, ServerClock
from tests.tournament.run_games import CLOCK_S, nobody_left, play

pytestmark = pytest.mark.slow

CLOCKS = ({"move": CLOCK_S}, {"total": CLOCK_S, "increment": 1})


@define
class OftenStopped:
    """A time source as a process sees it that is stopped for two clocks, several times a second."""

    pauses: int = 0
    _last: float = 0.0

    def __call__(self) -> float:
        moment = time.perf_counter()
        if moment - self._last > 2 * CATCH_UP_S:
            self._last = moment
            self.pauses += 1
        return moment + 2 * CLOCK_S * self.pauses


@pytest.fixture
def source():
    """The time that the clock of the event loop looks at."""
    return OftenStopped()


@pytest.fixture
def server_clock(source):
    """The clock of the test's own event loop."""
    return ServerClock(source)


@pytest.mark.parametrize("clock", CLOCKS)
async def test_a_pause_is_not_charged_to_bots(clock, source, server_clock, tmp_path, monkeypatch):
    with nobody_left(monkeypatch):
        runner = await play(tmp_path, ["first", "random"], clock=clock)
    assert [result.cause for result in runner.queue.results.values()] == ["normal"] * 2
    assert source.pauses > 1
