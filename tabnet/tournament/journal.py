"""The journal of a tournament: appended to, and on the disk before anything follows from it."""

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
    """Appends lines. While some are being written, others gather and go together."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._waiting = bytearray()
        self._turn = trio.Lock()
        self._written = 0
        self._added = 0

    async def add(self, line: bytes) -> None:
        """Append a line; it is on the disk when this returns, even if it is cancelled meanwhile."""
        self._waiting += line
        self._added += 1
        mine = self._added
        with trio.CancelScope(shield=True):
            async with self._turn:
                if self._written < mine:
                    data, self._waiting = bytes(self._waiting), bytearray()
                    self._written = self._added
                    await trio.to_thread.run_sync(self._append, data)

    def _append(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._file, data) :]
        os.fdatasync(self._file)


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
        yield Writer(file)
    finally:
        os.close(file)
