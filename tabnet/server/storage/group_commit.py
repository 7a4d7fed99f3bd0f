"""Group commits: nothing is sent before all rows of earlier commands are on disk.

While rows are being committed, those of the commands that follow gather for the next commit. So one
commit does the more, the more there is to do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

import trio
from attrs import define, field

from tabnet.server.core.rows import Row
from tabnet.server.core.server_counts import Histogram
from tabnet.server.storage.store import Store

T = TypeVar("T")

CHECK_S = 2
"""The seconds between checks of the store while there is nothing to commit."""
STUCK_S = 10
"""A commit that takes longer means that the database cannot be written now."""
ROWS_OF_A_COMMAND = 2
"""The rows of most commands: a move, and the throw after it."""


@define
class _Batch(Generic[T]):
    rows: list[Row] = field(factory=list)
    held: list[T] = field(factory=list)
    done: trio.Event = field(factory=trio.Event)


class Commits(trio.abc.Instrument, Generic[T]):
    """Rows on their way to the store, and the deliveries that wait until the rows are on disk.

    `release` is called with each delivery, in order. `send` is called after the deliveries of a
    commit, because trio does more before it is about to wait again.

    It is an instrument of trio: trio calls instruments when all tasks have run and it is about to
    wait. A commit begins then, so it has the rows of all these tasks; on a quiet server,
    `begin_small` begins it earlier. No task waits for its end, because each switch between tasks
    would delay every move.
    """

    def __init__(
        self,
        store: Store | None,
        release: Callable[[T], None],
        send: Callable[[], object] = lambda: None,
    ) -> None:
        self._store = store
        self._release = release
        self._send = send
        self._next: _Batch[T] = _Batch()
        self._current: _Batch[T] | None = None
        """The batch that is being committed."""
        self._began = 0.0
        """The time at which the current commit began."""
        self.times = Histogram()
        """The times that commits have taken."""
        self._error: Exception | None = None
        self._failed = trio.Event()

    def add(self, rows: list[Row], held: list[T]) -> None:
        """Commit the rows; release `held` when they and all earlier ones are on disk."""
        if rows and self._store is not None:
            self._next.rows += rows
            self._next.held += held
        elif self._store is None or (batch := self._get_latest_batch()) is None:
            for each in held:
                self._release(each)
        else:
            batch.held += held

    def _get_latest_batch(self) -> _Batch[T] | None:
        """Return the batch with the latest rows that are not on disk yet."""
        return self._next if self._next.rows else self._current

    async def run(self) -> None:
        """Commit the rows that are added, until cancelled; raise the errors of the store."""
        if self._store is None:
            return
        trio.lowlevel.add_instrument(self)
        try:
            while self._error is None:
                with trio.move_on_after(CHECK_S):
                    await self._failed.wait()
                if self._get_latest_batch() is None:
                    self._store.check()
            raise self._error
        finally:
            trio.lowlevel.remove_instrument(self)

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio's name
        """Begin the next commit, unless one has not ended yet."""
        if self._next.rows and self._current is None and self._store is not None:
            self._current, self._next = self._next, _Batch()
            self._began = time.perf_counter()
            self._store.begin_commit(self._current.rows, self._end_commit)

    def begin_small(self) -> None:
        """Begin the next commit now if it has the rows of a single command.

        More rows show that many clients are active. Then a commit that begins later has the rows of
        more of them.
        """
        if len(self._next.rows) <= ROWS_OF_A_COMMAND:
            self.before_io_wait(0)

    def _end_commit(self, error: Exception | None) -> None:
        """Release what waits for the current commit; after an error, release nothing any more."""
        self.times.add(time.perf_counter() - self._began)
        if error is not None:
            self._error = error
            self._failed.set()
        elif self._current is not None:
            for each in self._current.held:  # a release may add more
                self._release(each)
            self._current.done.set()
            self._current = None
            self._send()

    @property
    def works(self) -> bool:
        """Return False after an error, and while a commit takes very long."""
        if self._error is not None:
            return False
        return self._current is None or time.perf_counter() - self._began < STUCK_S

    async def wait_until_committed(self) -> None:
        """Wait until everything that was added so far is on disk, and released."""
        if (batch := self._get_latest_batch()) is not None:
            await batch.done.wait()
