"""Serves requests of the operator: one JSON line each way on a Unix socket.

Only the owner of the data folder can connect. The bytes and the time of each client are limited,
and a failing client does not affect others.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import trio
from attrs import frozen

from tabnet.server.admin.requests import execute
from tabnet.server.core.effects import Effect
from tabnet.server.core.service import Service
from tabnet.server.storage.database_file import OWNER_ONLY

log = logging.getLogger("tabnet")

SOCKET = "admin.sock"
MAX_PATH = 103
"""The number of bytes that the address of a socket may have on every system."""
MAX_REQUEST_BYTES = 64 * 1024
MAX_CLIENTS = 8
"""The number of clients that are served at once; the connections of others are closed."""
CLIENT_S = 10
"""The time that one client may take, until it has its response."""


@frozen
class Executor:
    """The parts of a running server that execute requests."""

    service: Service
    perform: Callable[[Iterable[Effect]], None]
    wait_until_committed: Callable[[], Awaitable[None]]
    """Waits until the rows of everything performed are on disk."""
    now: Callable[[], int]


async def serve_requests(folder: Path, executor: Executor) -> None:
    """Execute the requests of the operator, until cancelled."""
    try:
        listener = await _open_listener(folder)
    except OSError as error:
        fields = {"socket": str(folder / SOCKET), "error": str(error)}
        log.error("requests of the operator are not possible", extra={"fields": fields})
        return
    try:
        places = trio.CapacityLimiter(MAX_CLIENTS)
        await trio.serve_listeners(partial(_serve_client, executor, places), [listener])
    finally:
        (folder / SOCKET).unlink(missing_ok=True)


@contextmanager
def link_socket(folder: Path) -> Iterator[str]:
    """Yield an address of the socket of a data folder, which may have a path of any length.

    A path that is too long leads through a link in a private temporary folder. The link is needed
    only while a socket is bound or connected.
    """
    path = folder / SOCKET
    if len(os.fsencode(path)) <= MAX_PATH:
        yield str(path)
        return
    with tempfile.TemporaryDirectory(prefix="tabnet-") as private:
        link = Path(private, "data")
        link.symlink_to(folder.absolute())
        yield str(link / SOCKET)


async def _open_listener(folder: Path) -> trio.SocketListener:
    """Listen in a data folder, and replace the socket of a server that was killed."""
    (folder / SOCKET).unlink(missing_ok=True)
    socket = trio.socket.socket(trio.socket.AF_UNIX, trio.socket.SOCK_STREAM)
    try:
        with link_socket(folder) as address:
            await socket.bind(address)
        (folder / SOCKET).chmod(OWNER_ONLY)  # before anybody can connect
        socket.listen()
    except BaseException:
        socket.close()
        raise
    return trio.SocketListener(socket)


async def _serve_client(
    executor: Executor, places: trio.CapacityLimiter, stream: trio.SocketStream
) -> None:
    try:
        places.acquire_nowait()
    except trio.WouldBlock:
        await stream.aclose()
        return
    try:
        with trio.move_on_after(CLIENT_S):
            response = await _execute_line(executor, await _receive_line(stream))
            await stream.send_all(orjson.dumps(response) + b"\n")
    except trio.BrokenResourceError:
        pass  # the client has gone
    except Exception:
        log.exception("failed", extra={"fields": {}})
    finally:
        places.release()
        await trio.aclose_forcefully(stream)


async def _receive_line(stream: trio.SocketStream) -> bytes:
    """Return what the client sends up to its first newline, its end, or the maximum."""
    data = b""
    while b"\n" not in data and len(data) <= MAX_REQUEST_BYTES:
        more = await stream.receive_some()
        if not more:
            break
        data += more
    return data.partition(b"\n")[0]


async def _execute_line(executor: Executor, line: bytes) -> dict[str, Any]:
    """Execute a request; return the response when all of its rows are on disk."""
    try:
        request = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {"error": f"a request is one line of JSON, of at most {MAX_REQUEST_BYTES} bytes"}
    response, effects = execute(executor.service, request, executor.now())
    executor.perform(effects)
    await executor.wait_until_committed()
    return response
