"""Counts of what a server does, for its operator. Pure.

Every count costs the server an increment. The number of counts is limited: names that a client has
made up are counted under one name.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

from attrs import define, field

from tabnet.protocol.frames import Failed, Reply
from tabnet.protocol.messages import COMMANDS

UNKNOWN = "unknown"
"""The name of every command that does not exist."""
BOUNDS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper bounds of the buckets of durations, in seconds."""


@define
class Histogram:
    """Durations, counted by the smallest bound that is not below them."""

    bounds: tuple[float, ...] = BOUNDS_S
    total_s: float = 0.0
    counts: list[int] = field()
    """The number of durations for each bound, and of those above all bounds."""

    @counts.default
    def _make_counts(self) -> list[int]:
        return [0] * (len(self.bounds) + 1)

    def add(self, seconds: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total_s += seconds


@define
class ServerCounts:
    """The counts since the start of the server."""

    connections: int = 0
    """The connections that were opened."""
    accepted: defaultdict[str | None, int] = field(factory=lambda: defaultdict(int))
    """The commands that were executed, by name."""
    refused: defaultdict[tuple[str, str], int] = field(factory=lambda: defaultdict(int))
    """The commands that were refused, by name and code."""
    begun_matches: defaultdict[str, int] = field(factory=lambda: defaultdict(int))
    """The matches that have begun, by kind."""
    ended_matches: defaultdict[str, int] = field(factory=lambda: defaultdict(int))
    """The matches that have ended, by reason."""
    lost_bot_processes: defaultdict[str, int] = field(factory=lambda: defaultdict(int))
    """The processes of house bots that have ended although the server goes on, by bot."""
    loop_lag: Histogram = field(factory=Histogram)
    """The time by which timers of the event loop were late."""

    def add_reply(self, reply: Reply) -> None:
        """Count a command by its reply."""
        if isinstance(reply, Failed):
            cmd = reply.cmd if reply.cmd in COMMANDS else UNKNOWN
            self.refused[cmd or UNKNOWN, reply.code] += 1
        else:
            self.accepted[reply.cmd] += 1
