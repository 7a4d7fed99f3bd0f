"""Starts bots once before the first game, to find those that do not start."""

from __future__ import annotations

from collections.abc import Mapping

import trio

from tabnet.errors import StartError
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.referee_interface import FailedStart, Slot
from tabnet.tournament.records.entrants_and_results import MAX_FAILURES


async def find_failed_starts(
    slots: Mapping[str, Slot], max_concurrent: int
) -> dict[str, FailedStart]:
    """Start each bot in its slot; return the failures. Raises `StartError` if a referee fails."""
    failures: dict[str, FailedStart | None] = dict.fromkeys(slots)

    async def start(name: str, slot: Slot) -> None:
        async with limiter:
            failures[name] = await _try_out(name, slot)

    limiter = trio.CapacityLimiter(max_concurrent)
    async with trio.open_nursery() as nursery:
        for name, slot in slots.items():
            nursery.start_soon(start, name, slot)
    return {name: failure for name, failure in failures.items() if failure is not None}


async def _try_out(name: str, slot: Slot) -> FailedStart | None:
    text = ""
    for _ in range(MAX_FAILURES):
        try:
            return await slot.try_out(name)
        except RefereeFailed as failure:
            text = failure.text
    raise StartError(f"the referee fails before any game: {text}")
