"""The store: it keeps rows, so that a new server goes on where the last one ended.

`Store` is the interface of any database; here it is SQLite, in one file of the data folder. It has
two connections, each in a thread of its own: one writes and the other reads, and neither waits for
the other.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Protocol, cast

import apsw
import trio

from tabnet.errors import StoreError
from tabnet.server.core.effects import Log, SaveRow
from tabnet.server.core.rows import Row, Saved
from tabnet.server.core.service import Service
from tabnet.server.storage import load_rows
from tabnet.server.storage.database_file import (
    FILE,
    Guard,
    Sync,
    explain_errors,
    is_disk_full,
    lock_folder,
    make_private,
    refuse_mixed_files,
)
from tabnet.server.storage.load_rows import Stored
from tabnet.server.storage.restore_service import restore
from tabnet.server.storage.save_rows import save_rows
from tabnet.server.storage.writer import Report, Writer, open_writer

log = logging.getLogger("tabnet")

DATABASE_ERRORS = (apsw.Error, TypeError, ValueError)
"""The errors of a database, and those of damaged values in it."""


class Store(Protocol):
    """A database of rows."""

    async def load(self) -> Saved:
        """Return everything that a server needs to go on; raise `StartError` if it is damaged."""
        ...

    def begin_commit(self, rows: Sequence[Row], report: Report) -> None:
        """Begin to write all of the rows to the disk, or none of them.

        At the end, call `report` in the event loop: with None if the rows are on disk, else with a
        `StoreError`.
        """
        ...

    async def commit(self, rows: Sequence[Row]) -> None:
        """Write all of the rows to the disk, or raise `StoreError` and write none of them.

        It cannot be cancelled, so it is no checkpoint.
        """
        ...

    async def find(self, wanted: str | bytes) -> Stored | None:
        """Return a match, finished or not, by its id or by the digest of one of its tokens."""
        ...

    def check(self) -> None:
        """Raise `StoreError` if the database was deleted or replaced and rows would be lost."""
        ...


@asynccontextmanager
async def open_store(folder: Path, *, sync: Sync = "full") -> AsyncIterator[Store]:
    """Open the store of a data folder for one server at a time; raise `StartError`."""
    path = folder / FILE
    with lock_folder(folder):
        with explain_errors(path):
            make_private(path)
        refuse_mixed_files(path)
        async with open_writer(path, sync) as writer, _connect(path) as reader:
            with explain_errors(path):
                await reader.pragma("query_only", True)
            yield SqliteStore(path, writer, reader)


@asynccontextmanager
async def _connect(path: Path) -> AsyncIterator[apsw.AsyncConnection]:
    with explain_errors(path):
        connection = await apsw.Connection.as_async(str(path))
    try:
        yield connection
    finally:
        with trio.CancelScope(shield=True):
            await connection.aclose()


class SqliteStore:
    """A store in an SQLite file."""

    def __init__(self, path: Path, writer: Writer, reader: apsw.AsyncConnection) -> None:
        self._path = path
        self._writer = writer
        self._reader = reader
        self._guard = Guard(path)

    async def load(self) -> Saved:
        with explain_errors(self._path):
            return cast(Saved, await self._reader.async_run(load_rows.load_all, self._reader))

    def begin_commit(self, rows: Sequence[Row], report: Report) -> None:
        self._writer.begin(partial(self._write, rows), report)

    async def commit(self, rows: Sequence[Row]) -> None:
        with trio.CancelScope(shield=True):
            await self._writer.run(partial(self._write, rows))

    def _write(self, rows: Sequence[Row], database: apsw.Connection) -> None:
        """Write rows in the thread of the writer; raise `StoreError`."""
        try:
            save_rows(database, rows)
            self._guard.check_if_folder_changed()
        except DATABASE_ERRORS as error:
            raise self._explain("written", error) from error

    async def find(self, wanted: str | bytes) -> Stored | None:
        try:
            found = await self._reader.async_run(load_rows.find_match, self._reader, wanted)
        except DATABASE_ERRORS as error:
            raise self._explain("read", error) from error
        return cast(Stored | None, found)

    def check(self) -> None:
        self._guard.check()

    def _explain(self, action: str, error: Exception) -> StoreError:
        hint = "make room on its disk" if is_disk_full(error, self._path) else None
        return StoreError(f"{self._path} cannot be {action}: {error}", hint=hint)


async def restore_from(store: Store, now: Callable[[], int]) -> Service:
    """Return the service that goes on where the last one on the same store ended.

    Its clocks go on at the time that `now` returns when everything is loaded.
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
