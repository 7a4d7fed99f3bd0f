"""The tasks of an operator on a data folder, with or without a running server.

This is the entry point of the package. A task raises `StartError` if it cannot be done.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import trio

from tabnet.errors import StartError
from tabnet.server.admin.export import export_match
from tabnet.server.admin.maintenance import backup, find_match, prune
from tabnet.server.admin.request_socket import ask
from tabnet.server.admin.requests import execute
from tabnet.server.core.effects import SaveRow
from tabnet.server.core.rows import JSON
from tabnet.server.storage.database import FolderInUse, require_database
from tabnet.server.storage.store import open_store, restored

__all__ = [
    "announce_room",
    "backup",
    "ban",
    "end",
    "export_match",
    "find_match",
    "list_games",
    "prune",
    "reset_password",
]

RESPONSE_S = 10
"""The time that a server may take to respond, to start or to stop."""
RETRY_S = 0.1


def list_games(folder: Path) -> JSON:
    """Return matches, waits, players and set-aside matches, as `admin list --json` prints them."""
    listed: JSON = _carry_out(folder, {"do": "list"})
    return listed


def end(folder: Path, game: str) -> str:
    """End a match or a wait without a winner."""
    return str(_carry_out(folder, {"do": "end", "game": game}))


def announce_room(folder: Path, room: str) -> str:
    """Let players open a room, on a server where only announced rooms can be opened."""
    return str(_carry_out(folder, {"do": "announce-room", "room": room}))


def ban(folder: Path, nick: str, reason: str | None) -> str:
    """Ban a nick; without a reason, lift its ban."""
    return str(_carry_out(folder, {"do": "ban", "nick": nick, "reason": reason}))


def reset_password(folder: Path, nick: str, salt: bytes, digest: bytes) -> str:
    """Give a nick the password with this digest."""
    request = {"do": "reset-password", "nick": nick, "salt": salt.hex(), "digest": digest.hex()}
    return str(_carry_out(folder, request))


def _carry_out(folder: Path, request: JSON) -> Any:
    """Let the server of the folder execute a request, or execute it if no server is running."""
    require_database(folder)
    deadline = time.monotonic() + RESPONSE_S
    while (response := ask(folder, request, RESPONSE_S)) is None:
        try:
            response = trio.run(_execute_alone, folder, request)
            break
        except FolderInUse:  # a server starts or stops, or another task runs
            if time.monotonic() > deadline:
                raise
            time.sleep(RETRY_S)
    if "error" in response:
        raise StartError(response["error"])
    return response["done"]


async def _execute_alone(folder: Path, request: JSON) -> JSON:
    async with open_store(folder) as store:
        service = await restored(store, lambda: 0)
        response, effects = execute(service, request, 0)
        rows = [effect.row for effect in effects if isinstance(effect, SaveRow)]
        if rows:
            await store.commit(rows)
    return response
