"""Waiting for what tells nobody that it has happened: another process, a file, a page."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import trio

PATIENCE_S = 30
"""How long what happens within moments may take on a busy machine."""
LOOK_S = 0.01

T = TypeVar("T")


def until(happens: Callable[[], T]) -> T:
    """Look again and again; the first true answer."""
    give_up = time.monotonic() + PATIENCE_S
    while not (what := happens()):
        assert time.monotonic() < give_up, "it did not happen in time"
        time.sleep(LOOK_S)
    return what


async def until_async(happens: Callable[[], T]) -> T:
    """The same while tasks of this process go on."""
    with trio.fail_after(PATIENCE_S):
        while not (what := happens()):  # noqa: ASYNC110 - no event tells of it
            await trio.sleep(LOOK_S)
    return what
