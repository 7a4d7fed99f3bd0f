"""The store: what keeps rows, so that a server that starts goes on where the last one ended.

`Store` is what the server needs of any database; here it is SQLite, in one file of the data folder.
It has two connections, each in a thread of its own: the only one that writes, and one that reads,
which neither waits for the other nor makes it wait.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol

import apsw
import orjson
import trio

from tabnet.errors import BrokenHistory, StartError, StoreError
from tabnet.server.core.rows import JSON, Row, Saved, SavedMatch
from tabnet.server.core.service import Service
from tabnet.server.storage import load_rows as loading
from tabnet.server.storage.database import (
    FILE,
    Sync,
    explained,
    is_full,
    locked,
    make_private,
    make_ready,
)
from tabnet.server.storage.restore import restore
from tabnet.server.storage.save_rows import save


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

    async def find(self, game: str) -> SavedMatch | None:
        """A match, finished or not, without making `commit` wait."""
        ...

    async def find_token(self, digest: bytes) -> SavedMatch | None:
        """The match in which a seat has the token with this digest."""
        ...

    async def orders(self) -> list[tuple[int, JSON]]:
        """What administrators have ordered since the last call; each is to be `Answered`."""
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
                await writer.execute("DELETE FROM orders")  # nobody waits for an answer any more
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
        self._last_order = 0

    async def load(self) -> Saved:
        """See `Store`."""
        with explained(self._path):
            saved: Saved = await self._reader.async_run(loading.load, self._reader)
        return saved

    async def commit(self, rows: Sequence[Row]) -> None:
        """See `Store`."""
        with self._reported("written"), trio.CancelScope(shield=True):
            await self._writer.async_run(save, self._writer, rows)

    async def find(self, game: str) -> SavedMatch | None:
        """See `Store`."""
        with self._reported("read"):
            match: SavedMatch | None = await self._reader.async_run(
                loading.find, self._reader, game
            )
        return match

    async def find_token(self, digest: bytes) -> SavedMatch | None:
        """See `Store`."""
        with self._reported("read"):
            match: SavedMatch | None = await self._reader.async_run(
                loading.find_token, self._reader, digest
            )
        return match

    async def orders(self) -> list[tuple[int, JSON]]:
        """See `Store`."""
        with self._reported("read"):
            new: list[tuple[int, JSON]] = await self._reader.async_run(
                loading.orders, self._reader, self._last_order
            )
        if new:
            self._last_order = new[-1][0]
        return new

    @contextmanager
    def _reported(self, done: str) -> Iterator[None]:
        try:
            yield
        except (apsw.Error, orjson.JSONDecodeError) as error:
            hint = "make room on its disk" if is_full(error, self._path) else None
            raise StoreError(f"{self._path} cannot be {done}: {error}", hint=hint) from error


async def restored(store: Store, folder: Path, now: Callable[[], int]) -> Service:
    """Return the service that goes on where the last one on the same folder ended.

    It goes on at the time that `now` returns when everything is loaded.
    """
    service = Service(secrets.token_bytes)
    try:
        restore(service, await store.load(), now())
    except BrokenHistory as error:
        text = f"what is kept in {folder} is damaged: {error.text}"
        raise StartError(text, hint="put a backup in its place") from None
    return service
