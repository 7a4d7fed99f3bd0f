"""The referee processes of a tournament on a Dask worker.

A thread runs trio, and with it the referee processes: one for each task that runs at the same time.
They stay between tasks. They end with the tournament, with the Dask worker, or after `IDLE_S`
without a task.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeAlias, TypeVar

import trio

from tabnet.server.net.server_clock import ServerClock
from tabnet.tournament.play.referee_failure import RefereeFailed
from tabnet.tournament.play.referee_interface import RefereeSettings
from tabnet.tournament.play.referee_process.parent import RefereeProcess
from tabnet.tournament.play.referee_slot import RefereeSlot

T = TypeVar("T")
UseOfReferee: TypeAlias = Callable[[RefereeSlot], Awaitable[T]]

IDLE_S = 30.0
"""The time without a task after which the referees end."""
LEASE_S = 25.0
"""The time after which a referee process ends with its bots if its Dask worker is stopped.

It is shorter than `MAX_SILENCE_S` of workers: when a worker is lost, nothing of it runs any more.
"""
ENDED = "the referees of this Dask worker have ended"


class RefereesClosed(RefereeFailed):
    """The tournament is over, or the worker had no task for a long time."""


class WorkerReferees:
    """Runs functions with a referee, for the threads of tasks."""

    def __init__(
        self, settings: RefereeSettings, on_end: Callable[[], object], idle_s: float = IDLE_S
    ) -> None:
        """Start the thread; it calls `on_end` when no further function can run."""
        self._settings = settings
        self._on_end = on_end
        self._idle_s = idle_s
        self._free: list[RefereeSlot] = []
        self._running = 0
        self._is_closed = False
        self._last_end = 0.0
        self._token: trio.lowlevel.TrioToken
        self._nursery: trio.Nursery
        is_ready = threading.Event()
        threading.Thread(
            target=lambda: trio.run(self._run, is_ready, clock=ServerClock()),
            name="tabnet referees",
            daemon=True,
        ).start()
        is_ready.wait()

    def submit(self, function: UseOfReferee[T]) -> Future[T]:
        """Run a function with a referee that no other function has meanwhile."""
        future: Future[T] = Future()
        try:
            self._token.run_sync_soon(self._start, function, future)
        except trio.RunFinishedError:
            future.set_exception(self._make_error())
        return future

    def close(self) -> None:
        """End all referees, without waiting; the functions that run raise `RefereeFailed`."""
        try:
            self._token.run_sync_soon(self._end)
        except trio.RunFinishedError:
            return

    async def _run(self, is_ready: threading.Event) -> None:
        try:
            async with trio.open_nursery() as nursery:
                self._token, self._nursery = trio.lowlevel.current_trio_token(), nursery
                self._last_end = trio.current_time()
                is_ready.set()
                await self._wait_until_idle()
                self._end()
        finally:
            self._on_end()

    def _end(self) -> None:
        self._is_closed = True
        self._on_end()
        self._nursery.cancel_scope.cancel()

    def _make_error(self) -> RefereeFailed:
        return RefereesClosed(ENDED) if self._is_closed else RefereeFailed(ENDED)

    async def _wait_until_idle(self) -> None:
        idle_s = 0.0
        while self._running or idle_s < self._idle_s:
            await trio.sleep(self._idle_s / 4)
            idle_s = trio.current_time() - self._last_end

    def _start(
        self, function: Callable[[RefereeSlot], Awaitable[Any]], future: Future[Any]
    ) -> None:
        self._nursery.start_soon(self._run_function, function, future)

    async def _run_function(
        self, function: Callable[[RefereeSlot], Awaitable[Any]], future: Future[Any]
    ) -> None:
        slot = self._free.pop() if self._free else self._add_slot()
        self._running += 1
        try:
            future.set_result(await function(slot))
        except Exception as error:  # noqa: BLE001 - the thread of the task raises it
            future.set_exception(error)
        finally:
            if not future.done():  # cancelled
                future.set_exception(self._make_error())
            self._running -= 1
            self._last_end = trio.current_time()
            self._free.append(slot)

    def _add_slot(self) -> RefereeSlot:
        processors = tuple(sorted(os.sched_getaffinity(0)))
        slot = RefereeSlot(partial(RefereeProcess, self._settings, processors, LEASE_S))
        self._nursery.start_soon(slot.run)
        return slot
