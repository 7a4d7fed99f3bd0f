"""The store: what keeps rows, so that a server that starts goes on where the last one ended.

`Store` is what the server needs of any database; here it is SQLite, in one file of the data folder.
It has two connections, each in a thread of its own: the only one that writes, and one that reads,
which neither waits for the other nor makes it wait.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol

import apsw
import trio

from tabnet.errors import StoreError
from tabnet.server.core.effects import Log, SaveRow
from tabnet.server.core.rows import Row, Saved
from tabnet.server.core.service import Service
from tabnet.server.storage import load_rows as loading
from tabnet.server.storage.database import (
    FILE,
    Guard,
    Sync,
    explained,
    is_full,
    locked,
    make_private,
    make_ready,
)
from tabnet.server.storage.load_rows import Stored
from tabnet.server.storage.restore import restore
from tabnet.server.storage.save_rows import save

log = logging.getLogger("tabnet")


class Store(Protocol):
    """What keeps rows."""

    async def load(self) -> Saved:
        """All that a server needs to go on; `StartError` if it is damaged."""
        ...

    async def commit(self, rows: Sequence[Row]) -> None:
        """Keep all of the rows: they are on the disk when this returns.

        Or none of them, with a `StoreError`. It cannot be cancelled, so it is no checkpoint.
        """
        ...

    async def find(self, game: str) -> Stored | None:
        """A match, finished or not, without making `commit` wait."""
        ...

    async def find_token(self, digest: bytes) -> Stored | None:
        """The match in which a seat has the token with this digest."""
        ...

    def check(self) -> None:
        """Raise `StoreError` if what is kept would be lost: somebody deleted or replaced it."""
        ...


@asynccontextmanager
async def open_store(folder: Path, *, sync: Sync = "full") -> AsyncIterator[Store]:
    """The store in a data folder, for one server at a time; `StartError` if it cannot be had."""
    path = folder / FILE
    with locked(folder):
        with explained(path):
            make_private(path)
        async with _connected(path) as writer, _connected(path) as reader:
            with explained(path):
                await writer.async_run(make_ready, writer, path, sync)
                await reader.pragma("query_only", True)
            yield SqliteStore(path, writer, reader)


@asynccontextmanager
async def _connected(path: Path) -> AsyncIterator[apsw.AsyncConnection]:
    with explained(path):
        connection = await apsw.Connection.as_async(str(path))
    try:
        yield connection
    finally:
        with trio.CancelScope(shield=True):
            await connection.aclose()


class SqliteStore:
    """A store in an SQLite file."""

    def __init__(
        self, path: Path, writer: apsw.AsyncConnection, reader: apsw.AsyncConnection
    ) -> None:
        self._path = path
        self._writer = writer
        self._reader = reader
        self._guard = Guard(path)

    async def load(self) -> Saved:
        """See `Store`."""
        with explained(self._path):
            saved: Saved = await self._reader.async_run(loading.load, self._reader)
        return saved

    async def commit(self, rows: Sequence[Row]) -> None:
        """See `Store`."""
        with self._reported("written"), trio.CancelScope(shield=True):
            await self._writer.async_run(save, self._writer, rows)
            self._guard.check()

    async def find(self, game: str) -> Stored | None:
        """See `Store`."""
        with self._reported("read"):
            match: Stored | None = await self._reader.async_run(loading.find, self._reader, game)
        return match

    async def find_token(self, digest: bytes) -> Stored | None:
        """See `Store`."""
        with self._reported("read"):
            match: Stored | None = await self._reader.async_run(
                loading.find_token, self._reader, digest
            )
        return match

    def check(self) -> None:
        """See `Store`."""
        self._guard.check()

    @contextmanager
    def _reported(self, done: str) -> Iterator[None]:
        try:
            yield
        except (apsw.Error, TypeError, ValueError) as error:
            hint = "make room on its disk" if is_full(error, self._path) else None
            raise StoreError(f"{self._path} cannot be {done}: {error}", hint=hint) from error


async def restored(store: Store, now: Callable[[], int]) -> Service:
    """Return the service that goes on where the last one on the same store ended.

    It goes on at the time that `now` returns when everything is loaded.
    """
    service = Service(secrets.token_bytes)
    effects = restore(service, await store.load(), now())
    for effect in effects:
        if isinstance(effect, Log):
            log.error(effect.event, extra={"fields": effect.fields})
    rows = [effect.row for effect in effects if isinstance(effect, SaveRow)]
    if rows:
        await store.commit(rows)
    return service
