"""The lag of the event loop."""

from __future__ import annotations

import trio

from tabnet.server.core.server_counts import Histogram
from tabnet.server.net import loop_lag
from tabnet.server.net.loop_lag import PAUSE_S, measure_lag


async def test_the_lag_of_the_event_loop_is_the_delay_of_a_timer(monkeypatch, nursery):
    lag, measured = Histogram(), trio.Event()
    times = iter([10.0, 10.0 + PAUSE_S + 0.02])

    class Time:
        """A clock that shows these times."""

        @staticmethod
        def perf_counter() -> float:
            if sum(lag.counts):
                measured.set()
            return next(times, 30.0)

    monkeypatch.setattr(loop_lag, "time", Time)
    nursery.start_soon(measure_lag, lag)
    await measured.wait()
    assert lag.counts[lag.bounds.index(0.025)] == 1
    assert sum(lag.counts) == 1
    assert round(lag.total_s, 6) == 0.02
