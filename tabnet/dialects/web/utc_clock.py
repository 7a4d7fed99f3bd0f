"""Converts times of the server's clock, which counts from the start of the process, to UTC."""

from __future__ import annotations

import time

from attrs import define

from tabnet.server.net.server_clock import now

MAX_DRIFT_MS = 500
"""The drift of the clocks that is ignored, so that a time stays within its second."""


@define
class UtcClock:
    """The difference between the server's clock and UTC."""

    _offset: int | None = None

    def to_utc(self, moment: int) -> int:
        """Return a time of the server's clock as milliseconds since 1970."""
        offset = time.time_ns() // 1_000_000 - now()
        if self._offset is None or abs(offset - self._offset) > MAX_DRIFT_MS:
            self._offset = offset
        return moment + self._offset
