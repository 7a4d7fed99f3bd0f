"""The database file of a data folder: who may use it, how it is opened, what may be wrong with it.

One server at a time uses a folder; beside it, tools read and write its database in transactions so
short that the server hardly waits.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

import apsw
import orjson

from tabnet.errors import StartError, StoreError
from tabnet.server.storage import migrations as schema

FILE = "tabnet.db"

BUSY_MS = 10_000
"""How long to wait until another's transaction is over."""
WAL_BYTES = 64 * 1024 * 1024
"""To what the write-ahead log shrinks again when a long reader has made it grow."""
LEAST_SPACE = 64 * 1024
"""With less free on the disk, that is why SQLite cannot use it."""
OWNER_ONLY = 0o600
"""The database has the secrets that dice are made of."""

Sync: TypeAlias = Literal["full", "normal"]
"""Whether a commit survives a power cut ("full"), or only the end of the process ("normal")."""


class FolderInUse(StartError):
    """Another process holds the lock of the data folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"another server is using {folder}",
            hint="stop it, or choose another folder with --data",
        )


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a data folder; raise `FolderInUse` if another process holds it.

    The folder itself is locked, not a file in it: a file could be deleted. The lock ends with the
    process at the latest.
    """
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = _open_folder(folder)
    try:
        if not _lock(descriptor, folder):
            raise FolderInUse(folder)
        yield
    finally:
        os.close(descriptor)


def _open_folder(folder: Path) -> int:
    if not hasattr(os, "O_DIRECTORY"):
        raise StartError("this system cannot lock a data folder", hint="serve with --memory")
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)


def _lock(descriptor: int, folder: Path) -> bool:
    """Lock an open folder; return False if another process has locked it."""
    import fcntl  # Windows has no such module

    with explained(folder):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what goes wrong with the file into a sentence for who starts the program."""
    elsewhere = "choose another folder with --data"
    try:
        yield
    except apsw.NotADBError:
        raise StartError(
            f"{path} is no database", hint=f"move it out of the way, or {elsewhere}"
        ) from None
    except (apsw.CorruptError, orjson.JSONDecodeError) as error:
        raise StartError(
            f"{path} is damaged: {' '.join(str(error).split())}",
            hint=f"put a backup in its place, or {elsewhere}",
        ) from None
    except apsw.BusyError:
        raise StartError(f"{path} is in use by another program", hint="end that first") from None
    except (apsw.Error, OSError) as error:
        if is_full(error, path):
            raise StartError(
                f"no space is left for {path}", hint=f"make room, or {elsewhere}"
            ) from None
        reason = error.strerror if isinstance(error, OSError) else error
        raise StartError(f"cannot write to {path}: {reason}", hint=elsewhere) from None


def is_full(error: Exception, path: Path) -> bool:
    """Whether the disk is full, which SQLite does not say of every one of its files."""
    if isinstance(error, apsw.IOError):
        return shutil.disk_usage(path.parent).free < LEAST_SPACE
    return isinstance(error, apsw.FullError)


def make_private(path: Path) -> None:
    """Let there be a file that its owner alone can read; what is there is left as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))


def make_ready(database: apsw.Connection, path: Path, sync: Sync) -> None:
    """Make the new connection the one that writes, on a sound file with the newest schema."""
    _require_writable(database)
    database.set_busy_timeout(BUSY_MS)
    version = version_of(database, path)
    found = database.execute("PRAGMA quick_check(1)").get
    if found != "ok":
        raise apsw.CorruptError(found.splitlines()[-1])
    database.pragma("journal_mode", "wal")
    database.pragma("journal_size_limit", WAL_BYTES)
    database.pragma("synchronous", sync)
    database.transaction_mode = "IMMEDIATE"
    for number, script in enumerate(schema.MIGRATIONS[version:], version + 1):
        with database:
            database.execute(script)
            database.pragma("application_id", schema.APPLICATION_ID)
            database.pragma("user_version", number)


def version_of(database: apsw.Connection, path: Path) -> int:
    """The schema that the file has, 0 if it is empty; refused if it cannot be used."""
    is_empty = database.execute("SELECT count(*) = 0 FROM sqlite_schema").get
    if is_empty:
        return 0
    if database.pragma("application_id") != schema.APPLICATION_ID:
        raise StartError(
            f"{path} is another program's database",
            hint="move it out of the way, or choose another folder with --data",
        )
    version: int = database.pragma("user_version")
    newest = len(schema.MIGRATIONS)
    if version > newest:
        raise StartError(
            f"{path} was written by a newer tabnet: it has version {version} of the schema, "
            f"and this tabnet knows {newest}",
            hint="update tabnet, or choose another folder with --data",
        )
    return version


def require_database(folder: Path) -> None:
    """Refuse a folder in which no server has kept anything: its name is wrong."""
    if not (folder / FILE).exists():
        raise StartError(
            f"there is no database in {folder}", hint="--data names the folder of the server"
        )


@contextmanager
def visited(folder: Path) -> Iterator[apsw.Connection]:
    """A tool's connection to a database that is there already, with a server on it or not."""
    require_database(folder)
    path = folder / FILE
    with explained(path):
        database = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        with closing(database):
            database.set_busy_timeout(BUSY_MS)
            database.transaction_mode = "IMMEDIATE"
            version = version_of(database, path)
            if version < len(schema.MIGRATIONS):
                raise StartError(
                    f"{path} is from an older tabnet", hint="start the server on it once"
                )
            yield database


class Guard:
    """Notices that the files of an open database were deleted or replaced.

    It only looks at their names: closing another descriptor of a file would end SQLite's locks.
    """

    def __init__(self, path: Path) -> None:
        files = (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
        found = {file: _identity(file) for file in files}
        self._files = {file: identity for file, identity in found.items() if identity is not None}

    def check(self) -> None:
        """Raise `StoreError` if a file is not where it was."""
        for path, identity in self._files.items():
            if _identity(path) != identity:
                raise StoreError(
                    f"{path} was deleted or replaced while the server used it",
                    hint="the server has to stop: start it again",
                )


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells the file of that name from others, without opening it."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _require_writable(database: apsw.Connection) -> None:
    """SQLite itself would notice only at the first write."""
    if database.readonly("main"):
        raise apsw.ReadOnlyError("it is read-only")
