"""Rules for all tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.load_profile("steady")
"""The same examples in every run, on machines however slow."""

COVERAGE_OF_PROCESSES = "COVERAGE_PROCESS_CONFIG"
"""The environment variable that makes a started process measure its coverage."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure no coverage of a slow test, which would take three times as long."""
    if item.get_closest_marker("slow") is None:
        return (yield)
    trace, config = sys.gettrace(), os.environ.pop(COVERAGE_OF_PROCESSES, None)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(trace)
        if config is not None:
            os.environ[COVERAGE_OF_PROCESSES] = config
