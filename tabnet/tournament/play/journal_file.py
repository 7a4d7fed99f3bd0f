"""The journal of a tournament, kept open: what is added is on the disk a moment later."""

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
    """Appends lines. While some are on their way to the disk, others gather and go together."""

    def __init__(self, folder: Path, file: int) -> None:
        self._folder = folder
        self._file = file
        self._size = os.fstat(file).st_size
        """How many bytes of whole lines are on the disk."""
        self._is_torn = False
        """Something may follow these bytes."""
        self._waiting: list[bytes] = []
        self._news = trio.Event()

    def add(self, line: bytes) -> None:
        """Append a line, soon."""
        self._waiting.append(line)
        self._news.set()

    async def run(self) -> None:
        """Write what is added, for ever; raises `StartError` when the disk is full."""
        while True:
            await self._news.wait()
            self._news = trio.Event()
            await trio.to_thread.run_sync(self.flush)

    def flush(self) -> None:
        """Write all that was added; it is on the disk when this returns.

        If it cannot be written, raises `StartError`. The file ends with the last whole line then,
        and the lines are still to be written.
        """
        count = len(self._waiting)  # others may be added meanwhile, at the end
        data = b"".join(self._waiting[:count])
        if not data:
            return
        try:
            self._append(data)
        except OSError as error:
            self._is_torn = True
            with suppress(OSError):
                self._cut()
            raise cannot_write(self._folder, self._folder / JOURNAL, error) from None
        self._size += len(data)
        del self._waiting[:count]

    def clear(self) -> None:
        """Take all lines away."""
        self._size = 0
        self._cut()

    def _append(self, data: bytes) -> None:
        if self._is_torn:
            self._cut()
        while data:
            data = data[os.write(self._file, data) :]
        os.fdatasync(self._file)

    def _cut(self) -> None:
        os.ftruncate(self._file, self._size)
        self._is_torn = False


def cannot_write(folder: Path, path: Path, error: OSError) -> StartError:
    """Return the error for a file of a tournament that cannot be written, as on a full disk."""
    return StartError(
        f"{path} cannot be written: {error.strerror}",
        hint=f"when it can: tabnet tournament --resume {folder}",
    )


def has_begun(folder: Path) -> bool:
    """Whether there is a tournament in a folder.

    The line of the settings is written last at the beginning: before it, nothing has begun.
    """
    try:
        lines = (folder / JOURNAL).read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return False
    return any(line.startswith(SETTINGS_START) for line in lines)


def look(folder: Path) -> Journal:
    """What the journal of a folder tells; raises `StartError` if there is none."""
    try:
        return read_journal((folder / JOURNAL).read_bytes())
    except FileNotFoundError:
        raise StartError(f"there is no tournament in {folder}") from None


@contextmanager
def writing(folder: Path) -> Iterator[JournalWriter]:
    """The journal of a folder, open to be continued by one runner at a time.

    What a runner that was killed has not written to its end is taken away.
    """
    file = os.open(folder / JOURNAL, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
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
