"""Polling for a condition without an event: of another process, a file or a page."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import trio

TIMEOUT_S = 30
"""The timeout in seconds; on a busy machine, quick things take long."""
PAUSE_S = 0.01

T = TypeVar("T")


def until(condition: Callable[[], T]) -> T:
    """Poll until the result is true; return it."""
    give_up = time.monotonic() + TIMEOUT_S
    while not (result := condition()):
        assert time.monotonic() < give_up, "it did not happen in time"
        time.sleep(PAUSE_S)
    return result


async def until_async(condition: Callable[[], T]) -> T:
    """Poll until the result is true while other tasks run; return it."""
    with trio.fail_after(TIMEOUT_S):
        while not (result := condition()):  # noqa: ASYNC110 - there is no event
            await trio.sleep(PAUSE_S)
    return result
