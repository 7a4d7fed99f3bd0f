"""Sends requests of the operator to the server of a data folder, or executes them without one.

A function raises `StartError` if the request is refused or cannot be executed.
"""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any

import orjson
import trio

from tabnet.errors import StartError
from tabnet.server.admin.request_server import SOCKET, link_socket
from tabnet.server.admin.requests import execute
from tabnet.server.core.effects import SaveRow
from tabnet.server.core.rows import JSON
from tabnet.server.storage.database_file import FolderInUse, require_database
from tabnet.server.storage.store import open_store, restore_from

RESPONSE_S = 10
"""The time that a server may take to respond, to start or to stop."""
RETRY_S = 0.1
"""The pause before another attempt while the folder is in use."""
RECEIVE_BYTES = 1024 * 1024


def list_games(folder: Path) -> JSON:
    """Return matches, waits, players and set-aside matches, as `admin list --json` prints them."""
    listed: JSON = send_request(folder, {"do": "list"})
    return listed


def end_game(folder: Path, game: str) -> str:
    """End a match or a wait without a winner."""
    return str(send_request(folder, {"do": "end", "game": game}))


def announce_room(folder: Path, room: str) -> str:
    """Let players open a room, on a server where only announced rooms can be opened."""
    return str(send_request(folder, {"do": "announce-room", "room": room}))


def ban(folder: Path, nick: str, reason: str | None) -> str:
    """Ban a nick; without a reason, lift its ban."""
    return str(send_request(folder, {"do": "ban", "nick": nick, "reason": reason}))


def ban_addresses(folder: Path, range: str, reason: str | None) -> str:
    """Ban a range of addresses; without a reason, lift its ban."""
    return str(send_request(folder, {"do": "ban-addresses", "range": range, "reason": reason}))


def set_password(folder: Path, do: str, nick: str, salt: bytes, digest: bytes) -> str:
    """Register a nick (`do` is "add"), or give it another password ("reset-password")."""
    request = {"do": do, "nick": nick, "salt": salt.hex(), "digest": digest.hex()}
    return str(send_request(folder, request))


def send_request(folder: Path, request: JSON) -> Any:
    """Let the server of the folder execute a request, or execute it if no server is running."""
    require_database(folder)
    deadline = time.monotonic() + RESPONSE_S
    while (response := ask_server(folder, request, RESPONSE_S)) is None:
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
        service = await restore_from(store, lambda: 0)
        response, effects = execute(service, request, 0)
        rows = [effect.row for effect in effects if isinstance(effect, SaveRow)]
        if rows:
            await store.commit(rows)
    return response


def ask_server(folder: Path, request: JSON, timeout_s: float) -> JSON | None:
    """Return the response of the server; None if no server listens in the folder."""
    try:
        line = orjson.dumps(request) + b"\n"
    except orjson.JSONEncodeError as error:
        raise StartError(f"this text cannot be sent: {error}") from None
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(timeout_s)
            try:
                with link_socket(folder) as address:
                    client.connect(address)
            except (FileNotFoundError, ConnectionRefusedError):
                return None
            client.sendall(line)
            data = b"".join(iter(lambda: client.recv(RECEIVE_BYTES), b""))
    except TimeoutError:
        text = f"the server of {folder} has not responded within {timeout_s:g} s"
        raise StartError(text, hint="its log shows if it has executed the request") from None
    except OSError as error:
        raise StartError(f"cannot use {folder / SOCKET}: {error.strerror or error}") from None
    if not data.endswith(b"\n"):
        text = f"cannot use {folder / SOCKET}: the server closed the connection without a response"
        raise StartError(text)
    response: JSON = orjson.loads(data)
    return response
