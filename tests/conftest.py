"""Rules for all tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.load_profile("steady")
"""The same examples in every run, on machines however slow."""

COVERAGE_OF_PROCESSES = "COVERAGE_PROCESS_CONFIG"
"""The environment variable that makes a started process measure its coverage."""

TESTS = Path(__file__).parent
MANY_PROCESSES = tuple(
    TESTS / folder
    for folder in ("bench", "bots", "cluster", "kill", "toy_kind", "tournament", "web")
)
"""Folders whose tests start many processes.

Other tests cover the code of these processes, except for benchmarks, which only measure.
"""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure no coverage of slow tests and of many processes: it takes three times as long."""
    is_slow = item.get_closest_marker("slow") is not None
    if not is_slow and not any(item.path.is_relative_to(folder) for folder in MANY_PROCESSES):
        return (yield)
    trace, config = sys.gettrace(), os.environ.pop(COVERAGE_OF_PROCESSES, None)
    if is_slow:
        sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(trace)
        if config is not None:
            os.environ[COVERAGE_OF_PROCESSES] = config
