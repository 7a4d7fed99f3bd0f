"""Exports the stored rows of one match, even if it cannot be replayed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import orjson

from tabnet.errors import StartError
from tabnet.server.core.rows import JSON
from tabnet.server.storage import journal
from tabnet.server.storage.database_file import open_beside_server

JSON_COLUMNS = ("terms", "seats", "result", "scores", "history", "entries")


def export_match(folder: Path, game: str) -> list[JSON]:
    """Return the stored rows of a match: its own, its tokens, and its events in the journal.

    Each has the name of its `table` and its columns: JSON as it is, bytes in hexadecimal. Damaged
    JSON is a string.
    """
    with open_beside_server(folder) as database:
        database.execute("BEGIN")  # all rows of one moment
        rows = [*_read_rows(database, "matches", game), *_read_rows(database, "tokens", game)]
        if not rows or rows[0]["table"] != "matches":
            raise StartError(f"no match {game} is stored in {folder}")
        if rows[0]["ended"] is None:
            entries = journal.read_entries_of(database, game, rows[0]["first"])
            rows += [{"table": "journal", **entry} for entry in entries]
    return rows


def _read_rows(database: apsw.Connection, table: str, game: str) -> Iterator[JSON]:
    names = [
        name for (name,) in database.execute("SELECT name FROM pragma_table_info(?)", (table,))
    ]
    columns = ", ".join(
        f"typeof({name}), iif(typeof({name}) = 'text', CAST({name} AS BLOB), {name})"
        for name in names
    )
    query = f"SELECT {columns} FROM {table} WHERE game = ?"  # noqa: S608 - names of the schema
    for values in database.execute(query, (game,)):
        pairs = zip(names, values[::2], values[1::2], strict=True)
        yield {"table": table} | {
            name: _decode_value(name, type, value) for name, type, value in pairs
        }


def _decode_value(name: str, type: str, value: Any) -> Any:
    if type == "blob":
        return value.hex()
    if type != "text":
        return value
    if name in JSON_COLUMNS:
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            pass
    return value.decode(errors="backslashreplace")
