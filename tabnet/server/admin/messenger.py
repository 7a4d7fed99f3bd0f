"""Orders of an administrator to the running server, through its database.

So who may read the data folder may give them, and nobody else; there is no port for it.
"""

from __future__ import annotations

import time
from pathlib import Path

import apsw
import orjson

from tabnet.errors import StartError
from tabnet.server.core.rows import JSON
from tabnet.server.storage.database import is_served, visited

LOOK_S = 0.05
"""How often to look for the answer: it comes from another process, and nothing tells of it."""


def give(folder: Path, order: JSON, timeout_s: float) -> JSON:
    """Have the server of this folder carry out an order; its answer, or a `StartError`."""
    if not is_served(folder):
        raise StartError(f"no server is running on {folder}", hint="--data names its folder")
    wanted = orjson.dumps(order).decode()
    with visited(folder) as database:
        database.execute("INSERT INTO orders (wanted) VALUES (?)", (wanted,))
        number = database.last_insert_rowid()
        try:
            return _answer(database, number, timeout_s)
        finally:  # an order that nobody waits for is not to be carried out
            database.execute("DELETE FROM orders WHERE id = ?", (number,))


def _answer(database: apsw.Connection, number: int, timeout_s: float) -> JSON:
    deadline = time.monotonic() + timeout_s
    while True:
        answer = database.execute("SELECT answer FROM orders WHERE id = ?", (number,)).get
        if answer is not None:
            said: JSON = orjson.loads(answer)
            return said
        if time.monotonic() > deadline:
            raise StartError(
                f"the server has not answered within {timeout_s:g} s",
                hint="see in its log whether it has carried the order out",
            )
        time.sleep(LOOK_S)
