"""The journal of a tournament, kept open: what is added is on the disk a moment later."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trio

from tabnet.errors import StartError
from tabnet.tournament.folder import JOURNAL, Journal, read_journal


class Writer:
    """Appends lines. While some are on their way to the disk, others gather and go together."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._waiting = bytearray()
        self._news = trio.Event()

    def add(self, line: bytes) -> None:
        """Append a line, soon."""
        self._waiting += line
        self._news.set()

    async def run(self) -> None:
        """Write what is added, for ever."""
        while True:
            await self._news.wait()
            self._news = trio.Event()
            await trio.to_thread.run_sync(self.flush)

    def flush(self) -> None:
        """Write all that was added; it is on the disk when this returns."""
        data, self._waiting = bytes(self._waiting), bytearray()
        if data:
            while data:
                data = data[os.write(self._file, data) :]
            os.fdatasync(self._file)


def has_begun(folder: Path) -> bool:
    """Whether there is a tournament in a folder: a first line was written to its end."""
    try:
        return b"\n" in (folder / JOURNAL).read_bytes()
    except FileNotFoundError:
        return False


def look(folder: Path) -> Journal:
    """What the journal of a folder tells; raises `StartError` if there is none."""
    try:
        return read_journal((folder / JOURNAL).read_bytes())
    except FileNotFoundError:
        raise StartError(f"there is no tournament in {folder}") from None


@contextmanager
def writing(folder: Path) -> Iterator[Writer]:
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
        writer = Writer(file)
        try:
            yield writer
        finally:
            writer.flush()
    finally:
        os.close(file)
