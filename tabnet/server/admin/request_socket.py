"""The Unix socket in a data folder: its address, and the client that sends it a request."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

from tabnet.errors import StartError
from tabnet.server.core.rows import JSON

SOCKET = "admin.sock"
MAX_PATH = 103
"""The number of bytes that the address of a socket may have on every system."""
RECEIVE_BYTES = 1024 * 1024


@contextmanager
def socket_address(folder: Path) -> Iterator[str]:
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


def ask(folder: Path, request: JSON, timeout_s: float) -> JSON | None:
    """Return the response of the server; None if no server listens in the folder."""
    try:
        line = orjson.dumps(request) + b"\n"
    except orjson.JSONEncodeError as error:
        raise StartError(f"this text cannot be sent: {error}") from None
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(timeout_s)
            try:
                with socket_address(folder) as address:
                    client.connect(address)
            except (FileNotFoundError, ConnectionRefusedError):
                return None
            client.sendall(line)
            data = _receive(client)
    except TimeoutError:
        text = f"the server of {folder} has not responded within {timeout_s:g} s"
        raise StartError(text, hint="its log shows if it has executed the request") from None
    except OSError as error:
        raise StartError(f"cannot use {folder / SOCKET}: {error.strerror or error}") from None
    response: JSON = orjson.loads(data)
    return response


def _receive(client: socket.socket) -> bytes:
    parts = []
    while part := client.recv(RECEIVE_BYTES):
        parts.append(part)
    data = b"".join(parts)
    if not data.endswith(b"\n"):
        raise ConnectionError("the server closed the connection without a response")
    return data
