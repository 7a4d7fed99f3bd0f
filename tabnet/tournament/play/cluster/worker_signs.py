"""Signs of life of the workers of a cluster, by which stopped ones are found. Pure.

A worker that is stopped, or that the network does not reach, keeps its connection for a long time.
It is silent when neither its heartbeat nor a report of a task comes any more. Time counts between
lists of the workers alone: while the scheduler itself does not answer, no worker becomes silent.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

MAX_SILENCE_S = 30.0
"""The time without a sign of life after which a worker is lost."""
MAX_GAP_S = 10.0
"""The longest time between two lists that counts."""


@define
class _Sign:
    heartbeat: float
    """The scheduler's time of the latest heartbeat."""
    silent_s: float = 0.0


@define
class WorkerSigns:
    """The latest sign of each worker. Times are seconds on a clock that only goes forward."""

    _signs: dict[str, _Sign] = field(factory=dict)
    _listed_at: float | None = None

    def note_list(self, heartbeats: Mapping[str, float], now: float) -> None:
        """Note the time of the latest heartbeat of each worker; others are forgotten."""
        gap = 0.0 if self._listed_at is None else min(now - self._listed_at, MAX_GAP_S)
        self._listed_at = now
        signs = {}
        for address, heartbeat in heartbeats.items():
            sign = self._signs.get(address)
            if sign is None or sign.heartbeat != heartbeat:
                sign = _Sign(heartbeat, -gap)
            signs[address] = _Sign(heartbeat, sign.silent_s + gap)
        self._signs = signs

    def note_report(self, address: str) -> None:
        """Note a report of a task that a worker runs."""
        if address in self._signs:
            self._signs[address].silent_s = 0.0

    def is_silent(self, address: str) -> bool:
        return address in self._signs and self._signs[address].silent_s >= MAX_SILENCE_S
