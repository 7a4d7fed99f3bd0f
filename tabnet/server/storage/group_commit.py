"""Nothing is sent before everything that was handled before it is kept.

While rows are being committed, what is handled goes on gathering, and goes with the next commit:
the more there is to do, the more one commit does.
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
"""How often to check the store while there is nothing to commit."""


@define
class _Batch(Generic[T]):
    rows: list[Row] = field(factory=list)
    held: list[T] = field(factory=list)
    kept: trio.Event = field(factory=trio.Event)


class Commits(Generic[T]):
    """Rows on their way to the store, and what waits for them to arrive.

    `release` is called with what was held, in order, as soon as it may go.
    """

    def __init__(self, store: Store | None, release: Callable[[T], None]) -> None:
        self._store = store
        self._release = release
        self._next: _Batch[T] = _Batch()
        self._current: _Batch[T] = self._next
        self._busy = False
        self._work = trio.Event()
        self._rest = trio.Event()
        self._rest.set()

    def add(self, rows: list[Row], held: list[T]) -> None:
        """Keep the rows; let go of `held` when they and all earlier ones are kept."""
        if self._store is None or not (rows or self._busy):
            for each in held:
                self._release(each)
            return
        self._next.rows += rows
        self._next.held += held
        if not self._busy:
            self._busy = True
            self._rest = trio.Event()
            self._work.set()

    async def run(self) -> None:
        """Commit what is added, for ever; raises what the store raises."""
        while self._store is not None:
            await self._wait_for_work(self._store)
            while self._next.rows or self._next.held:
                batch = self._current = self._next
                self._next = _Batch()
                if batch.rows:
                    await self._store.commit(batch.rows)
                for each in batch.held:
                    self._release(each)
                batch.kept.set()
            self._busy = False
            self._work = trio.Event()
            self._rest.set()

    async def _wait_for_work(self, store: Store) -> None:
        """Wait until there is something to commit; check the store meanwhile."""
        while not self._busy:
            with trio.move_on_after(CHECK_S):
                await self._work.wait()
            store.check()

    async def kept(self) -> None:
        """Wait until everything that was added so far is on disk."""
        if self._busy:
            batch = self._next if self._next.rows or self._next.held else self._current
            await batch.kept.wait()

    async def settled(self) -> None:
        """Wait until everything that was added is kept and let go."""
        while self._busy:
            await self._rest.wait()
