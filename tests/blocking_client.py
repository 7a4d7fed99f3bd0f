"""A client on a blocking socket, for the drivers: it sends any command and reads every line."""

from __future__ import annotations

import json
import socket
from typing import Any


class Client:
    """One connection over plain TCP; `buffer` limits the bytes that wait to be read."""

    def __init__(self, port: int, buffer: int = 0) -> None:
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self.socket.makefile("rb")
        assert json.loads(self.line())["type"] == "hello"

    def send(self, **command: Any) -> None:
        """Send a command."""
        self.socket.sendall(json.dumps(command).encode() + b"\n")

    def line(self) -> bytes:
        """Return the next line; raise EOFError at the end."""
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        return line

    def reply(self) -> dict[str, Any]:
        """Return the next reply; other frames are ignored."""
        while (frame := json.loads(self.line()))["type"] != "reply":
            pass
        return dict(frame)

    def ask(self, **command: Any) -> dict[str, Any]:
        """Send a command that must succeed, and return its reply."""
        self.send(**command)
        reply = self.reply()
        assert "error" not in reply, reply
        return reply
