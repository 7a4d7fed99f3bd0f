"""Starts bots once before the first game, to find those that do not start."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import trio

from tabnet.errors import StartError
from tabnet.tournament.play.failure import RefereeFailed
from tabnet.tournament.play.referee_interface import FailedStart
from tabnet.tournament.play.referee_slot import RefereeSlot
from tabnet.tournament.records.results import MAX_FAILURES


async def failed_starts(places: Mapping[str, RefereeSlot], at_once: int) -> dict[str, FailedStart]:
    """Start each bot in its place, at most `at_once` at a time, and return the failures.

    The failures are in the order of the bots. Raises `StartError` if a referee fails too often.
    """
    failed: dict[str, FailedStart] = {}

    async def start(name: str, slot: RefereeSlot) -> None:
        async with limiter:
            failure = await _try_out(name, slot)
        if failure is not None:
            failed[name] = failure

    limiter = trio.CapacityLimiter(at_once)
    async with trio.open_nursery() as nursery:
        for name, slot in places.items():
            nursery.start_soon(start, name, slot)
    return {name: failed[name] for name in places if name in failed}


async def _try_out(name: str, slot: RefereeSlot) -> FailedStart | None:
    """Start a bot once, again if the referee fails; raises `StartError` if it fails too often."""
    for _ in range(MAX_FAILURES - 1):
        with suppress(RefereeFailed):
            return await slot.try_out(name)
    try:
        return await slot.try_out(name)
    except RefereeFailed as failure:
        raise StartError(f"the referee fails before any game: {failure.text}") from None
