"""The database file of a data folder: its lock, how it is opened, and its errors as sentences.

One server at a time uses a folder. Tools read and write the database of a running server in short
transactions, so that the server hardly waits.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeAlias

import apsw
import orjson

from tabnet.errors import StartError, StoreError
from tabnet.server.storage import migrations as schema
from tabnet.server.storage.log_marks import BUSY_MS, Checkpoints, is_mixed

FILE = "tabnet.db"

WAL_BYTES = 64 * 1024 * 1024
"""The size to which the write-ahead log shrinks again after a long read has made it grow."""
FULL_BYTES = 64 * 1024
"""A disk with less free space is full."""
OWNER_ONLY = 0o600
"""The database contains the secrets of the dice."""
ELSEWHERE = "choose another folder with --data"

JOURNAL_MODE_AT = 18
"""The offset of the journal mode in a file of SQLite."""
ROLLBACK_MODE = b"\x01"
"""The journal mode of a file that has no write-ahead log."""

Sync: TypeAlias = Literal["full", "normal"]
"""A commit survives a power cut ("full"), or only the end of the process ("normal")."""


class FolderInUse(StartError):
    """Another process holds the lock of the data folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"another server is using {folder}",
            hint="stop it, or choose another folder with --data",
        )


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a data folder; raise `FolderInUse` if another process holds it.

    The folder itself is locked, not a file in it: a file could be deleted. The lock ends with the
    process at the latest.
    """
    with explain_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = _open_folder(folder)
    try:
        import fcntl  # Windows has no such module

        with explain_errors(folder):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderInUse(folder) from None
        yield
    finally:
        os.close(descriptor)


def _open_folder(folder: Path) -> int:
    if not hasattr(os, "O_DIRECTORY"):
        raise StartError("this system cannot lock a data folder", hint="serve with --memory")
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)


@contextmanager
def explain_errors(path: Path) -> Iterator[None]:
    """Turn the errors of a file into a `StartError` with a sentence."""
    try:
        yield
    except apsw.NotADBError:
        text, hint = f"{path} is no database", f"move it out of the way, or {ELSEWHERE}"
        raise StartError(text, hint=hint) from None
    except (apsw.CorruptError, orjson.JSONDecodeError) as error:
        text = f"{path} is damaged: {' '.join(str(error).split())}"
        restore = f"put a backup in its place and remove {path.name}-wal and {path.name}-shm"
        raise StartError(text, hint=f"{restore}, or {ELSEWHERE}") from None
    except apsw.BusyError:
        raise StartError(f"{path} is in use by another program", hint="end that first") from None
    except (apsw.Error, OSError) as error:
        if is_disk_full(error, path):
            text = f"no space is left for {path}"
            raise StartError(text, hint=f"make room, or {ELSEWHERE}") from None
        reason = error.strerror if isinstance(error, OSError) else error
        raise StartError(f"cannot write to {path}: {reason}", hint=ELSEWHERE) from None


def is_disk_full(error: Exception, path: Path) -> bool:
    """Return True if an error means that the disk is full; SQLite does not always say so."""
    if isinstance(error, apsw.IOError):
        return shutil.disk_usage(path.parent).free < FULL_BYTES
    return isinstance(error, apsw.FullError)


def make_private(path: Path) -> None:
    """Create a file that only its owner can read, unless it exists."""
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))


class MixedFiles(StartError):
    """The write-ahead log belongs to a database that another file has replaced."""

    def __init__(self, path: Path, log: Path) -> None:
        shared = path.with_name(f"{path.name}-shm")
        super().__init__(
            f"{path} is a backup, but {log.name} and {shared.name} beside it belong to the "
            "database that it has replaced",
            hint=f"remove {log.name} and {shared.name}, or {ELSEWHERE}",
        )


def refuse_mixed_files(path: Path) -> None:
    """Refuse a database beside the write-ahead log of another state; raise `MixedFiles`.

    SQLite would mix both, and damage the database. `tabnet admin backup` makes a file in another
    journal mode than that of a database in use. Other copies are recognized by their marks.
    """
    log = path.with_name(f"{path.name}-wal")
    with explain_errors(path):
        if not log.exists() or not log.stat().st_size:
            return
        with path.open("rb") as file:
            mode = file.read(JOURNAL_MODE_AT + 1)[JOURNAL_MODE_AT:]
        if mode == ROLLBACK_MODE or (mode and is_mixed(path)):
            raise MixedFiles(path, log)


def make_ready(database: apsw.Connection, path: Path, sync: Sync) -> None:
    """Prepare the connection that writes; check the file, and bring its schema up to date."""
    if database.readonly("main"):  # SQLite would report it only at the first write
        raise apsw.ReadOnlyError("it is read-only")
    database.set_busy_timeout(BUSY_MS)
    database.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)  # a damaged file stays as it is
    version = read_version(database, path)
    found = database.execute("PRAGMA quick_check(1)").get
    if found != "ok":
        raise apsw.CorruptError(found.splitlines()[-1])
    database.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    database.pragma("journal_mode", "wal")
    database.pragma("journal_size_limit", WAL_BYTES)
    database.pragma("synchronous", sync)
    database.transaction_mode = "IMMEDIATE"
    for number, script in enumerate(schema.MIGRATIONS[version:], version + 1):
        with database:
            database.execute(script)
            database.pragma("application_id", schema.APPLICATION_ID)
            database.pragma("user_version", number)
    Checkpoints(database).run()


def read_version(database: apsw.Connection, path: Path) -> int:
    """Return the schema version of the file, 0 if it is empty; refuse a file of another program."""
    is_empty = database.execute("SELECT count(*) = 0 FROM sqlite_schema").get
    if is_empty:
        return 0
    if database.pragma("application_id") != schema.APPLICATION_ID:
        text = f"{path} is another program's database"
        raise StartError(text, hint=f"move it out of the way, or {ELSEWHERE}")
    version: int = database.pragma("user_version")
    newest = len(schema.MIGRATIONS)
    if version > newest:
        raise StartError(
            f"{path} was written by a newer tabnet: it has version {version} of the schema, "
            f"and this tabnet knows {newest}",
            hint=f"update tabnet, or {ELSEWHERE}",
        )
    return version


def require_database(folder: Path) -> None:
    """Refuse a folder that contains no database: its name is probably wrong."""
    if not (folder / FILE).exists():
        text = f"there is no database in {folder}"
        raise StartError(text, hint="--data names the folder of the server")


@contextmanager
def open_beside_server(folder: Path) -> Iterator[apsw.Connection]:
    """Open a tool's connection to an existing database, also beside a running server."""
    require_database(folder)
    path = folder / FILE
    _refuse_mixed_files_at_rest(path)
    with explain_errors(path):
        database = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        with closing(database):
            database.set_busy_timeout(BUSY_MS)
            database.transaction_mode = "IMMEDIATE"
            version = read_version(database, path)
            if version < len(schema.MIGRATIONS):
                raise StartError(
                    f"{path} is from an older tabnet", hint="start the server on it once"
                )
            Checkpoints(database)
            yield database


def _refuse_mixed_files_at_rest(path: Path) -> None:
    """Refuse mixed files, unless a server is changing them, which makes their marks differ."""
    try:
        refuse_mixed_files(path)
    except MixedFiles:
        with suppress(FolderInUse), lock_folder(path.parent):
            refuse_mixed_files(path)


class Guard:
    """Detects that the files of an open database were deleted or replaced.

    It never opens the files: closing another descriptor of a file would end SQLite's locks.
    """

    def __init__(self, path: Path) -> None:
        files = (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
        found = {file: _identify(file) for file in files}
        self._files = {file: identity for file, identity in found.items() if identity is not None}
        self._folder = str(path.parent)
        self._folder_changed = 0

    def check_if_folder_changed(self) -> None:
        """Check the files if anything in their folder was created, renamed or deleted.

        To ask for the state of the write-ahead log takes a fifth of the CPU time of a commit.
        """
        changed = os.stat(self._folder).st_mtime_ns  # noqa: PTH116 - each commit does it
        if changed != self._folder_changed:
            self.check()
            self._folder_changed = changed

    def check(self) -> None:
        """Raise `StoreError` if a file was deleted or replaced."""
        for path, identity in self._files.items():
            if _identify(path) != identity:
                raise StoreError(
                    f"{path} was deleted or replaced while the server used it",
                    hint="the server has to stop: start it again",
                )


def _identify(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file, or None if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
