"""The clock of a server and of a referee: it counts only the time in which the process runs.

trio takes the time and every timer from this clock: clocks of players, waits, salts, idle limits,
handshakes and delays after wrong passwords. A stopped process (SIGSTOP), a suspended machine or a
stalled event loop therefore costs nobody any time.

The source is `time.perf_counter`, like that of trio's own clock. On Linux it stands still while the
machine is suspended. It goes on while the process is stopped, and on some other systems during a
suspension: this clock leaves such gaps out.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import trio

LOOK_S = 0.4
"""The longest time between two looks at the time by an idle event loop."""
MAX_GAP_S = 1.0
"""The longest gap between two looks that counts. A longer gap counts for nothing."""
CATCH_UP_S = 0.1
"""The time after such a gap that does not count either.

The commands that waited in sockets meanwhile are handled in this time, before any timeout.
"""


class ServerClock(trio.abc.Clock):
    """Seconds that count, since the start of the event loop."""

    def __init__(self, source: Callable[[], float] = time.perf_counter) -> None:
        self._source = source
        self._looked_at = source()
        self._counts_from = self._looked_at
        """The end of the last gap and of the time to catch up after it."""
        self._left_out = self._looked_at
        """The difference between the source and the seconds that count, from `_counts_from` on."""

    def start_clock(self) -> None:
        """Count from now on."""
        self._looked_at = self._counts_from = self._left_out = self._source()

    def current_time(self) -> float:
        """Look at the source; return the seconds that count."""
        moment = self._source()
        if moment - self._looked_at > MAX_GAP_S:
            counts_from = moment + CATCH_UP_S
            self._left_out += counts_from - max(self._looked_at, self._counts_from)
            self._counts_from = counts_from
        self._looked_at = moment
        if moment < self._counts_from:
            return self._counts_from - self._left_out
        return moment - self._left_out

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Return the seconds to sleep until `deadline`, or until the next look at the time."""
        left = deadline - self.current_time()
        if left > 0:
            left += max(0.0, self._counts_from - self._looked_at)
        return min(left, LOOK_S)


def now() -> int:
    """Return the milliseconds of the event loop's clock."""
    return int(trio.current_time() * 1000)
