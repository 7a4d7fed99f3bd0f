"""The CPU time of a bot's process while it decides: from a turn that it is sent to its answer.

Reading the CPU clock of another process takes 0.3 us. CPU time of processes that the bot starts
does not count.
"""

from __future__ import annotations

import time

CPUCLOCK_SCHED = 2
NS_PER_MS = 1_000_000


def make_clock_id(pid: int) -> int:
    """Return the id of the CPU clock of a process, as the kernel defines it."""
    return (~pid << 3) | CPUCLOCK_SCHED


class CpuMeter:
    """Sums the CPU time of a process in one game."""

    def __init__(self) -> None:
        self._clock: int | None = None
        self._began: int | None = None
        """The CPU time when the last frame was sent; None after an answer."""
        self._total_ns = 0

    def begin_game(self, pid: int) -> None:
        """Begin to count; a system without such clocks counts nothing."""
        self._clock, self._began, self._total_ns = make_clock_id(pid), None, 0

    def note_sent(self) -> None:
        """Note that a frame is sent: a decision begins, unless another frame follows."""
        if self._clock is not None:
            try:
                self._began = time.clock_gettime_ns(self._clock)
            except OSError:  # the process has ended
                self._clock = None

    def note_received(self) -> None:
        """Note that the process has answered."""
        if self._began is not None and self._clock is not None:
            try:
                self._total_ns += time.clock_gettime_ns(self._clock) - self._began
            except OSError:
                self._clock = None
            self._began = None

    @property
    def cpu_ms(self) -> float | None:
        """The CPU time in milliseconds; None if the clock is unknown."""
        if self._clock is None and not self._total_ns:
            return None
        return round(self._total_ns / NS_PER_MS, 3)
