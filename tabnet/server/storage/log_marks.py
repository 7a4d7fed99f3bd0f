"""Marks in the database that show whether a write-ahead log belongs to the file beside it.

SQLite does not notice if somebody puts an older database file beside a newer write-ahead log. It
reads some pages from one and some from the other. Therefore the database has two marks in a row:

    state       random bytes
    built_on    the `state` of the database file when the log began

The log begins anew when SQLite has copied all of it into the file. Before this, a new `state` is
written and copied too. Afterwards, the first transaction of the new log writes it as `built_on`.
A log fits a file if the file has the state that the log is built on. It fits as well if both
have the same `built_on`: then the file already has a part of this log.

A log that another program has begun, without marks, is not recognized: it seems to fit.
"""

from __future__ import annotations

import secrets
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

import apsw
from attrs import frozen

PAGES = 1000
"""The pages in the log at which it is copied into the file, like SQLite's own default."""
BUSY_MS = 10_000
"""The time to wait for the transaction of another process."""
MARK_BYTES = 8

_READ = "SELECT built_on, state FROM log_marks"
_SET_STATE = "UPDATE log_marks SET state = ?"
_BEGIN_LOG = "UPDATE log_marks SET built_on = state, state = ? WHERE state = ?"


@frozen
class LogMarks:
    built_on: bytes | None
    """None if the log began before the database had marks."""
    state: bytes


class Checkpoints:
    """Copies the log of a connection into the file when it has grown, and writes the marks.

    Other connections may do the same at any time.
    """

    def __init__(self, database: apsw.Connection) -> None:
        self._database = database
        self._pages = 0
        self._due = PAGES
        self._is_running = False
        database.set_wal_hook(self._on_commit)

    def run(self) -> None:
        """Copy the log into the file as far as possible; leave the rest for the next time.

        A reader of an older state can hold it up. The last commit is on disk in any case.
        """
        self._is_running = True
        try:
            with suppress(apsw.Error):
                self._begin_log_anew()
        finally:
            self._is_running = False
        self._due = self._pages + PAGES

    def _begin_log_anew(self) -> None:
        if not self._copy_all():  # most of the work
            return
        state, next_state = secrets.token_bytes(MARK_BYTES), secrets.token_bytes(MARK_BYTES)
        self._database.execute(_SET_STATE, (state,))
        if self._copy_all():
            # If another connection has changed the state since, the file may not have this one.
            self._database.execute(_BEGIN_LOG, (next_state, state))

    def _copy_all(self) -> bool:
        pages, copied = self._database.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        return pages == copied

    def _on_commit(self, _database: apsw.Connection, _name: str, pages: int) -> int:
        self._pages = pages
        if pages >= self._due and not self._is_running:
            self.run()
        return apsw.SQLITE_OK


def is_mixed(path: Path) -> bool:
    """Return True if the database file and the log beside it have different origins."""
    try:
        file = _read_marks(f"file:{quote(str(path))}?immutable=1", apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:  # it was being written at a power failure: the log has these pages
        return False
    both = _read_marks(f"file:{quote(str(path))}", apsw.SQLITE_OPEN_READWRITE)
    if file is None or both is None:
        return file is not None or (both is not None and both.built_on is not None)
    return both.built_on not in (file.state, file.built_on)


def _read_marks(uri: str, flags: int) -> LogMarks | None:
    """Return the marks, None for a database without them; change nothing on the disk."""
    with closing(apsw.Connection(uri, flags=flags | apsw.SQLITE_OPEN_URI)) as database:
        database.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        database.set_busy_timeout(BUSY_MS)
        if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'log_marks'").get:
            return None
        row = database.execute(_READ).fetchone()
        return None if row is None else LogMarks(*row)
