"""Backups, pruning and single matches of a data folder, with or without a running server."""

from __future__ import annotations

import os
import time
from pathlib import Path

import apsw
from attrs import frozen

from tabnet.errors import StartError
from tabnet.server.storage import load_rows
from tabnet.server.storage.database_file import OWNER_ONLY, explain_errors, open_beside_server
from tabnet.server.storage.load_rows import Stored

BATCH = 100
"""The matches that one transaction deletes: the commits of a running server wait for it."""
PAUSE_S = 0.02
"""The pause after each transaction, for the commits of a running server."""

_OLD = "SELECT game FROM matches WHERE ended <= unixepoch() - ? * 86400 ORDER BY ended LIMIT ?"


@frozen
class Pruned:
    """The numbers of deleted matches and tokens."""

    matches: int
    tokens: int


def back_up(folder: Path, target: Path) -> None:
    """Copy the database as it is at one moment to `target`, which must not exist yet.

    Only its owner can read the copy. It is complete on the disk, or does not exist.
    """
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    with open_beside_server(folder) as database, explain_errors(target):
        try:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL, OWNER_ONLY))
        except FileExistsError:
            hint = "a backup never replaces a file: name another one"
            raise StartError(f"{target} exists already", hint=hint) from None
        try:
            _copy(database, draft)
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            target.unlink()
            raise


def find_match(folder: Path, game: str) -> Stored | None:
    """Return a match, finished or not."""
    with open_beside_server(folder) as database:
        return load_rows.find_match(database, game)


def prune(folder: Path, days: float) -> Pruned:
    """Delete the matches that ended longer ago than that, and their tokens; standings stay."""
    matches = tokens = 0
    with open_beside_server(folder) as database:
        while True:
            with database:
                games = database.execute(_OLD, (days, BATCH)).fetchall()
                before = database.total_changes()
                database.executemany("DELETE FROM tokens WHERE game = ?", games)
                tokens += database.total_changes() - before
                database.executemany("DELETE FROM matches WHERE game = ?", games)
            if not games:
                return Pruned(matches, tokens)
            matches += len(games)
            time.sleep(PAUSE_S)


def _copy(database: apsw.Connection, draft: Path) -> None:
    """Write a compact copy of the database to the disk."""
    file = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    try:
        database.execute("VACUUM INTO ?", (str(draft),))
        os.fsync(file)
    finally:
        os.close(file)
