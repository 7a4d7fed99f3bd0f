"""What an administrator does to a data folder, whether a server runs on it or not."""

from __future__ import annotations

import os
import time
from pathlib import Path

import apsw
from attrs import frozen

from tabnet.errors import StartError
from tabnet.server.storage import load_rows
from tabnet.server.storage.database import OWNER_ONLY, explained, visited
from tabnet.server.storage.load_rows import Stored

AT_A_TIME = 100
"""How many matches go in one transaction: so long does a server's commit wait, and no longer."""
PAUSE_S = 0.02
"""How long the server then has the database for itself."""

_OLD = "SELECT game FROM matches WHERE ended <= unixepoch() - ? * 86400 ORDER BY ended LIMIT ?"


@frozen
class Pruned:
    """How much has been deleted."""

    matches: int
    tokens: int


def backup(folder: Path, target: Path) -> None:
    """Copy the database as it is at one moment to `target`, which must not be there yet.

    The copy is for its owner's eyes alone, and whole on the disk or not there.
    """
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    with visited(folder) as database, explained(target):
        try:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL, OWNER_ONLY))
        except FileExistsError:
            raise StartError(
                f"{target} is there already", hint="backups never replace a file: name another one"
            ) from None
        try:
            _copy(database, draft)
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            target.unlink()
            raise


def find_match(folder: Path, game: str) -> Stored | None:
    """Return a match, finished or not."""
    with visited(folder) as database:
        return load_rows.find(database, game)


def prune(folder: Path, days: float) -> Pruned:
    """Delete the matches that ended longer ago than that, and their tokens; standings stay."""
    pruned = Pruned(0, 0)
    with visited(folder) as database:
        while True:
            with database:
                gone = _prune_some(database, days)
            if not gone.matches:
                return pruned
            pruned = Pruned(pruned.matches + gone.matches, pruned.tokens + gone.tokens)
            time.sleep(PAUSE_S)


def _prune_some(database: apsw.Connection, days: float) -> Pruned:
    games = [(game,) for (game,) in database.execute(_OLD, (days, AT_A_TIME))]
    before = database.total_changes()
    database.executemany("DELETE FROM tokens WHERE game = ?", games)
    tokens = database.total_changes() - before
    database.executemany("DELETE FROM matches WHERE game = ?", games)
    return Pruned(len(games), tokens)


def _copy(database: apsw.Connection, draft: Path) -> None:
    """Through SQLite, which leaves out what is free; then onto the disk."""
    file = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    try:
        database.execute("VACUUM INTO ?", (str(draft),))
        os.fsync(file)
    finally:
        os.close(file)
