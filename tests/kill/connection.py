"""One connection to a server that may be dead at any moment."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import trio

from tests.kill.traffic import JSON, SentCommand, Traffic


class ServerLost(Exception):
    """The server was killed."""


class Connection:
    """Commands go out and are answered; everything is entered into the traffic."""

    def __init__(self, stream: trio.SocketStream, traffic: Traffic) -> None:
        self._stream = stream
        self._traffic = traffic
        self._buffer = b""
        self._ids = itertools.count()
        self._last: dict[str, int] = {}
        """Game that is followed -> the number of its last update."""
        self.news: list[tuple[JSON, bytes]] = []
        """The updates that came and have not been looked at, with their lines."""

    async def ask(self, by: str, seen: int, **command: Any) -> JSON:
        """Send a command and return the reply; record all frames before it."""
        sent = SentCommand(by, command, seen)
        self._traffic.sent.append(sent)
        id = next(self._ids)
        try:
            await self._stream.send_all(json.dumps({**command, "id": id}).encode() + b"\n")
        except (trio.BrokenResourceError, OSError):
            raise ServerLost from None
        while (reply := await self.receive())["type"] != "reply":
            pass
        if (reply["cmd"], reply["id"]) != (command["cmd"], id):
            self._traffic.report(f"{reply} answers {command} with id {id}")
        if reply["cmd"] == "update" and "error" not in reply:
            self._last[command["game"]] = command["since"]
        if reply["cmd"] == "join" and "error" not in reply:
            self._last.setdefault(reply["game"], 0)
        self._traffic.add_reply(sent, reply)
        return reply

    async def receive(self) -> JSON:
        """The next frame."""
        frame: JSON = json.loads(await self._receive_line())
        return frame

    async def _receive_line(self) -> bytes:
        while b"\n" not in self._buffer:
            try:
                data = await self._stream.receive_some()
            except (trio.BrokenResourceError, OSError):
                raise ServerLost from None
            if not data:
                raise ServerLost
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        self._note(line + b"\n")
        return line

    def _note(self, line: bytes) -> None:
        frame = json.loads(line)
        if frame["type"] != "update":
            return
        self._traffic.add_update(frame, line)
        self.news.append((frame, line))
        expected = self._last.get(frame["game"], -1) + 1
        if frame["seq"] != expected:
            text = f"{frame['game']}: update {frame['seq']} came instead of {expected}"
            self._traffic.report(text)
        self._last[frame["game"]] = frame["seq"]


@asynccontextmanager
async def connect(port: int, traffic: Traffic) -> AsyncIterator[Connection]:
    """Connect to the server on that port; raise ServerLost if there is none."""
    try:
        stream = await trio.open_tcp_stream("127.0.0.1", port)
    except OSError:
        raise ServerLost from None
    async with stream:
        connection = Connection(stream, traffic)
        await connection.receive()
        yield connection
