"""HTTP by hand: requests are written as bytes, and responses are parsed."""

from __future__ import annotations

import json
from typing import Any

import trio
from attrs import frozen
from trio.abc import Stream

from tests.harness import Server


@frozen
class Response:
    """A whole response; its headers' names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, which has to be JSON."""
        assert self.headers["content-type"] == "application/json"
        return json.loads(self.body)


@frozen
class Event:
    """The fields of an event in a stream, or a comment."""

    id: str | None = None
    data: Any = None
    comment: str | None = None


class Wire:
    """One connection to a web door."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._buffer = b""

    async def send(
        self, method: str, target: str, body: bytes | None = None, **headers: str
    ) -> None:
        """A request; `X_Name` stands for the header X-Name."""
        lines = [f"{method} {target} HTTP/1.1", *([] if "Host" in headers else ["Host: localhost"])]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        await self.stream.send_all("\r\n".join([*lines, "", ""]).encode() + (body or b""))

    async def request(
        self, method: str, target: str, body: bytes | None = None, **headers: str
    ) -> Response:
        """Send a request; its response."""
        await self.send(method, target, body, **headers)
        return await self.response(bodiless=method == "HEAD")

    async def response(self, *, bodiless: bool = False) -> Response:
        """The next response."""
        status, headers = await self.head()
        size = 0 if bodiless else int(headers.get("content-length", 0))
        while len(self._buffer) < size:
            self._buffer += await self._more()
        body, self._buffer = self._buffer[:size], self._buffer[size:]
        return Response(status, headers, body)

    async def head(self) -> tuple[int, dict[str, str]]:
        """The head of the next response."""
        first, *lines = (await self._until(b"\r\n\r\n")).decode().split("\r\n")
        version, status, _ = first.split(" ", 2)
        assert version == "HTTP/1.1"
        pairs = [line.split(": ", 1) for line in lines]
        headers = {name.lower(): value for name, value in pairs}
        assert len(headers) == len(pairs)
        return int(status), headers

    async def event(self) -> Event:
        """The next event of a stream."""
        fields: dict[str, str] = {}
        for line in (await self._until(b"\n\n")).decode().split("\n"):
            name, _, value = line.partition(":")
            assert name not in fields
            fields[name] = value.removeprefix(" ")
        assert fields.keys() <= {"id", "data", ""}
        data = json.loads(fields["data"]) if "data" in fields else None
        return Event(fields.get("id"), data, fields.get(""))

    async def closed(self) -> bool:
        """Return True if the server closes the connection without more bytes."""
        try:
            return not self._buffer and not await self.stream.receive_some(65536)
        except trio.BrokenResourceError:
            return True

    async def _until(self, end: bytes) -> bytes:
        while end not in self._buffer:
            self._buffer += await self._more()
        found, _, self._buffer = self._buffer.partition(end)
        return found

    async def _more(self) -> bytes:
        data = await self.stream.receive_some(65536)
        assert data, f"the server closed the connection after {self._buffer!r}"
        return bytes(data)


async def dial(server: Server, source: str | None = None) -> Wire:
    """Connect to the plain HTTP port, from the address `source` if it is given."""
    stream = await trio.open_tcp_stream(*server.http, local_address=source)
    server.streams.append(stream)
    return Wire(stream)


async def get(server: Server, target: str, **headers: str) -> Response:
    """One request on a connection of its own."""
    return await (await dial(server)).request("GET", target, **headers)


async def post(server: Server, path: str, **fields: Any) -> Response:
    """One request on a connection of its own, with a JSON object."""
    return await (await dial(server)).request("POST", path, json.dumps(fields).encode())


async def follow(server: Server, target: str, **headers: str) -> Wire:
    """A stream that has begun."""
    wire = await dial(server)
    await wire.send("GET", target, Accept="text/event-stream", **headers)
    status, told = await wire.head()
    assert (status, told["content-type"]) == (200, "text/event-stream")
    return wire
