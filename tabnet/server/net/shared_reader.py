"""Receives for many sockets in one task.

Most of the time a client sends one command, which can be executed at once. Then no other task has
to run: switching to a task of each client, and back, takes longer than a cheap command. A quick
client has often answered when its frames are sent. So the reader looks again before other tasks
run.
"""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TypeAlias

import trio
from attrs import define

Take: TypeAlias = Callable[[bytes], bool]
"""Processes received bytes at once; returns False, with nothing done, if that is impossible."""

AfterReading: TypeAlias = Callable[[], bool | None]
"""Called when sockets have been read; returns True if it has sent something."""

RECEIVE_BYTES = 16 * 1024
"""The size of a TLS record, so that no received bytes stay inside TLS, unseen by trio."""
MAX_BATCH = 64
"""The number of sockets that are read before other tasks have their turn."""
IS_AVAILABLE = hasattr(select, "epoll")


@define(eq=False)
class _Waiter:
    """A task that waits in `receive`, and what it receives in the end."""

    socket: socket.socket
    take: Take
    task: trio.lowlevel.Task
    data: bytes = b""
    error: Exception | None = None


class SharedReader:
    """Receives for all tasks that wait in `receive`."""

    def __init__(self) -> None:
        self._readable = select.epoll()
        self._waiters: dict[int, _Waiter] = {}
        self._after_reading: list[AfterReading] = []
        trio.lowlevel.spawn_system_task(self._run)

    @contextmanager
    def calling(self, after_reading: AfterReading) -> Iterator[None]:
        """Call a function whenever sockets have been read, while the block runs."""
        self._after_reading.append(after_reading)
        try:
            yield
        finally:
            self._after_reading.remove(after_reading)

    async def receive(self, connected: socket.socket, take: Take) -> bytes:
        """Return the next bytes that `take` leaves; none at the end of the stream.

        Raise the exceptions of the socket and of `take`.
        """
        number = connected.fileno()
        waiter = _Waiter(connected, take, trio.lowlevel.current_task())
        self._readable.register(number, select.EPOLLIN)
        self._waiters[number] = waiter

        def abort(_: object) -> trio.lowlevel.Abort:
            self._forget(number)
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)
        if waiter.error is not None:
            raise waiter.error
        return waiter.data

    def _forget(self, number: int) -> None:
        del self._waiters[number]
        with suppress(OSError):  # a socket that is closed already; others must not be affected
            self._readable.unregister(number)

    async def _run(self) -> None:
        with self._readable:
            while True:
                await trio.lowlevel.wait_readable(self._readable.fileno())
                self._read_batch()

    def _read_batch(self) -> None:
        """Read sockets, and then those of clients that have answered what was sent meanwhile."""
        left = MAX_BATCH
        while left and (ready := self._readable.poll(0, left)):
            for number, _ in ready:
                if (waiter := self._waiters.get(number)) is not None:
                    self._read(number, waiter)
            left -= len(ready)
            have_sent = [call() for call in self._after_reading]
            if not any(have_sent):
                return

    def _read(self, number: int, waiter: _Waiter) -> None:
        try:
            waiter.data = waiter.socket.recv(RECEIVE_BYTES)
            if waiter.data and waiter.take(waiter.data):
                return
        except (BlockingIOError, ssl.SSLWantReadError):
            return  # nothing has come, or only a part of a TLS record
        except Exception as error:  # noqa: BLE001 - the task that waits raises it
            waiter.error = error
        if self._waiters.get(number) is waiter:  # else `take` has cancelled its task
            self._forget(number)
            trio.lowlevel.reschedule(waiter.task)


def calling_after_reading(after_reading: AfterReading) -> AbstractContextManager[None]:
    """Call a function whenever the shared reader has read sockets, while the block runs.

    A system without epoll has no shared reader: there it is never called.
    """
    return get_shared_reader().calling(after_reading) if IS_AVAILABLE else nullcontext()


_READER: trio.lowlevel.RunVar[SharedReader] = trio.lowlevel.RunVar("shared reader")


def get_shared_reader() -> SharedReader:
    """Return the reader of this event loop, which is made at its first use."""
    try:
        return _READER.get()
    except LookupError:
        reader = SharedReader()
        _READER.set(reader)
        return reader
