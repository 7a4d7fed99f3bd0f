"""Group commits: nothing is sent before all rows of earlier commands are on disk.

While rows are being committed, those of the commands that follow gather for the next commit. So one
commit does the more, the more there is to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import trio
from attrs import define, field

from tabnet.server.core.rows import Row
from tabnet.server.storage.store import Store

T = TypeVar("T")

CHECK_S = 2
"""The seconds between checks of the store while there is nothing to commit."""


@define
class _Batch(Generic[T]):
    rows: list[Row] = field(factory=list)
    held: list[T] = field(factory=list)
    done: trio.Event = field(factory=trio.Event)


class Commits(Generic[T]):
    """Rows on their way to the store, and the deliveries that wait until the rows are on disk.

    `release` is called with each delivery, in order.
    """

    def __init__(self, store: Store | None, release: Callable[[T], None]) -> None:
        self._store = store
        self._release = release
        self._next: _Batch[T] = _Batch()
        self._current: _Batch[T] = self._next
        self._busy = False
        self._work = trio.Event()

    def add(self, rows: list[Row], held: list[T]) -> None:
        """Commit the rows; release `held` when they and all earlier ones are on disk."""
        if self._store is None or not (rows or self._busy):
            for each in held:
                self._release(each)
            return
        self._next.rows += rows
        self._next.held += held
        if not self._busy:
            self._busy = True
            self._work.set()

    async def run(self) -> None:
        """Commit the rows that are added, until cancelled; raise the errors of the store."""
        while self._store is not None:
            await self._wait_for_work(self._store)
            while self._next.rows or self._next.held:
                batch = self._current = self._next
                self._next = _Batch()
                if batch.rows:
                    await self._store.commit(batch.rows)
                for each in batch.held:
                    self._release(each)
                batch.done.set()
            self._busy = False
            self._work = trio.Event()

    async def _wait_for_work(self, store: Store) -> None:
        """Wait until there are rows to commit; check the store meanwhile."""
        while not self._busy:
            with trio.move_on_after(CHECK_S):
                await self._work.wait()
            store.check()

    async def wait_until_committed(self) -> None:
        """Wait until everything that was added so far is on disk, and released."""
        if self._busy:
            batch = self._next if self._next.rows or self._next.held else self._current
            await batch.done.wait()
