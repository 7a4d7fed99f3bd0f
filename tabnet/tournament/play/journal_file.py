"""The open journal of a tournament. New lines are on disk a moment later."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import trio

from tabnet.errors import StartError
from tabnet.tournament.records.journal_lines import JOURNAL, SETTINGS_START, Journal, read_journal


class JournalWriter:
    """Appends lines. While some are being written, others are gathered for the next write."""

    def __init__(self, folder: Path, file: int) -> None:
        self._folder = folder
        self._file = file
        self._size = os.fstat(file).st_size
        """The size of the whole lines on disk."""
        self._waiting: list[bytes] = []
        self._news = trio.Event()

    def add_line(self, line: bytes) -> None:
        """Append a line at the next write."""
        self._waiting.append(line)
        self._news.set()

    async def run(self) -> None:
        """Write added lines, for ever; raises `StartError` when the disk is full."""
        while True:
            await self._news.wait()
            self._news = trio.Event()
            await trio.to_thread.run_sync(self.flush)

    def flush(self) -> None:
        """Write all added lines; they are on disk on return.

        Raises `StartError` if that fails. The file then ends with the last whole line, and the
        lines still wait to be written.
        """
        count = len(self._waiting)  # others may be added meanwhile, at the end
        data = b"".join(self._waiting[:count])
        if not data:
            return
        try:
            if os.fstat(self._file).st_size > self._size:  # a failed write left a partial line
                os.ftruncate(self._file, self._size)
            self._append(data)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise make_write_error(self._folder, self._folder / JOURNAL, error) from None
        self._size += len(data)
        del self._waiting[:count]

    def make_private(self) -> None:
        """Let only its owner read the journal: it contains the source of the throws."""
        os.fchmod(self._file, 0o600)

    def clear(self) -> None:
        self._size = 0
        os.ftruncate(self._file, 0)

    def _append(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._file, data) :]
        os.fdatasync(self._file)


def make_write_error(folder: Path, path: Path, error: OSError) -> StartError:
    """Return the error for a file that cannot be written, as on a full disk."""
    return StartError(
        f"{path} cannot be written: {error.strerror}",
        hint=f"when it can: tabnet tournament --resume {folder}",
    )


def has_tournament(folder: Path) -> bool:
    """Return True if a folder has a tournament: the settings line, which is written last."""
    try:
        lines = (folder / JOURNAL).read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return False
    return any(line.startswith(SETTINGS_START) for line in lines)


def read_journal_file(folder: Path) -> Journal:
    """Return the journal of a folder; raises `StartError` if there is none."""
    try:
        return read_journal((folder / JOURNAL).read_bytes())
    except FileNotFoundError:
        raise StartError(f"there is no tournament in {folder}") from None


@contextmanager
def open_journal(folder: Path) -> Iterator[JournalWriter]:
    """Open a folder's journal for one runner at a time, without a partial last line."""
    file = os.open(folder / JOURNAL, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartError(f"the tournament in {folder} is being played already") from None
        os.ftruncate(file, (folder / JOURNAL).read_bytes().rfind(b"\n") + 1)
        writer = JournalWriter(folder, file)
        try:
            yield writer
        finally:
            writer.flush()
    finally:
        os.close(file)
