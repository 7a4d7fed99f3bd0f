"""The connection that writes, in a thread of its own.

The event loop and the thread wake each other once for each piece of work, and nothing else happens
in between: every switch between threads or tasks delays a move.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

import apsw
import trio

from tabnet.server.storage.database_file import Sync, explain_errors, make_ready

Work: TypeAlias = Callable[[apsw.Connection], None]
"""Writes to the database, or raises an exception."""
Report: TypeAlias = Callable[[Exception | None], None]
"""Takes the exception of a piece of work, or None."""

MAX_WAKES = 1024
"""The wake-ups that are read together."""


class Writer:
    """A thread that does one piece of work after the other, and closes the database at the end.

    The thread wakes the event loop through sockets of its own: `run_sync_soon` of trio takes a
    third longer.
    """

    def __init__(self, database: apsw.Connection) -> None:
        self._database = database
        self._queue: SimpleQueue[tuple[Work, Report] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Report, Exception | None]] = SimpleQueue()
        self._woken, self._waker = socket.socketpair()
        self._woken.setblocking(False)
        trio.lowlevel.spawn_system_task(self._call_reports)
        self._thread = Thread(target=self._work, name="database writer")
        self._thread.start()

    def _work(self) -> None:
        with closing(self._database):  # closing copies the write-ahead log, which takes its time
            while (job := self._queue.get()) is not None:
                work, report = job
                error: Exception | None = None
                try:
                    work(self._database)
                except Exception as caught:  # noqa: BLE001 - `report` has it
                    error = caught
                self._done.put((report, error))
                self._waker.send(b"1")

    async def _call_reports(self) -> None:
        with suppress(trio.ClosedResourceError):
            while True:
                await trio.lowlevel.wait_readable(self._woken)
                self._woken.recv(MAX_WAKES)
                while not self._done.empty():
                    report, error = self._done.get()
                    report(error)

    def begin(self, work: Work, report: Report) -> None:
        """Let the thread do this work; then call `report` in the event loop."""
        self._queue.put((work, report))

    async def run(self, work: Work) -> None:
        """Let the thread do this work, and wait for it; raise its exception."""
        errors: list[Exception | None] = []
        done = trio.Event()

        def report(error: Exception | None) -> None:
            errors.append(error)
            done.set()

        self.begin(work, report)
        await done.wait()
        if errors[0] is not None:
            raise errors[0]

    async def stop(self) -> None:
        """Wait until everything that was begun is done, and close the database."""
        self._queue.put(None)
        await trio.to_thread.run_sync(self._thread.join)
        trio.lowlevel.notify_closing(self._woken)
        self._woken.close()
        self._waker.close()


@asynccontextmanager
async def open_writer(path: Path, sync: Sync) -> AsyncIterator[Writer]:
    """Open the connection that writes, and bring the database up to date; raise `StartError`."""
    with explain_errors(path):
        database = await trio.to_thread.run_sync(apsw.Connection, str(path))
    writer = Writer(database)
    try:
        with explain_errors(path):
            await writer.run(partial(make_ready, path=path, sync=sync))
        yield writer
    finally:
        with trio.CancelScope(shield=True):
            await writer.stop()
