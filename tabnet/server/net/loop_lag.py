"""Measures by how much the timers of the event loop are late: a busy server has more lag."""

from __future__ import annotations

import time

import trio

from tabnet.server.core.server_counts import Histogram

PAUSE_S = 0.5
"""The time between two measurements."""


async def measure_lag(lag: Histogram) -> None:
    """Add the lag of a timer to the histogram twice a second, until cancelled.

    The time is that of the machine: the clock of the server leaves out long delays.
    """
    while True:
        began = time.perf_counter()
        await trio.sleep(PAUSE_S)
        lag.add(max(0.0, time.perf_counter() - began - PAUSE_S))
