"""Counts of what a server does."""

from __future__ import annotations

from tabnet.protocol.frames import Failed, Reply
from tabnet.server.core.server_counts import Histogram, ServerCounts


def test_a_duration_counts_for_the_smallest_bound_that_is_not_below_it() -> None:
    histogram = Histogram(bounds=(0.1, 1.0))
    for seconds in (0.0, 0.1, 0.11, 1.0, 1.01, 500.0):
        histogram.add(seconds)
    assert histogram.counts == [2, 2, 2]
    assert histogram.total_s == 0.0 + 0.1 + 0.11 + 1.0 + 1.01 + 500.0


def test_commands_are_counted_by_name_and_result() -> None:
    counts = ServerCounts()
    for cmd in ("ping", "ping", "join"):
        counts.add_reply(Reply(cmd=cmd))
    counts.add_reply(Failed(cmd="join", error="full", code="busy"))
    assert counts.accepted == {"ping": 2, "join": 1}
    assert counts.refused == {("join", "busy"): 1}


def test_commands_that_do_not_exist_are_counted_under_one_name() -> None:
    counts = ServerCounts()
    for cmd in (None, "", "zp", "x" * 1000, "Ping"):
        counts.add_reply(Failed(cmd=cmd, error="there is none", code="unknown_command"))
    assert counts.refused == {("unknown", "unknown_command"): 5}
