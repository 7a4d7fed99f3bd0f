"""A client on a blocking socket that takes any line."""

from __future__ import annotations

import json
import socket
from typing import Any


class Client:
    """One connection over plain TCP."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")
        assert json.loads(self.line())["type"] == "hello"

    def send(self, **command: Any) -> None:
        """Send a command."""
        self._socket.sendall(json.dumps(command).encode() + b"\n")

    def line(self) -> bytes:
        """Return the next line; raises `EOFError` at the end."""
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        return line

    def ask(self, **command: Any) -> dict[str, Any]:
        """Send a command and return its reply; other frames are ignored."""
        self.send(**command)
        while True:
            frame = json.loads(self.line())
            if frame["type"] == "reply":
                assert "error" not in frame, frame
                return frame
