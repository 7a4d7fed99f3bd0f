"""A connection over HTTP: replies become responses, and the frames of a game become events."""

from __future__ import annotations

from http import HTTPStatus

from tabnet.dialects.web.http_parser import HttpExchange
from tabnet.dialects.web.responses import Response
from tabnet.dialects.web.sse import ends_stream
from tabnet.protocol.frames import Snapshot
from tabnet.server.net.connection import Connection, Encoder, OutgoingFrame
from tabnet.server.net.request_connection import RequestConnection

STREAM_HEAD = b"""\
HTTP/1.1 200 OK\r
Content-Type: text/event-stream\r
Cache-Control: no-store\r
X-Accel-Buffering: no\r
Connection: close\r
"""
"""The body ends with the connection, so that an event is the same bytes for all streams."""


class HttpConnection(RequestConnection):
    """A connection that makes one request after the other, or is the stream of one game."""

    exchange: HttpExchange
    is_streaming = False
    """The connection is sent a game's events, and takes no requests any more."""

    def accept(self, outgoing: OutgoingFrame) -> bool:
        """Add a frame to the stream, or pass it to the request that waits for it."""
        if not self.is_streaming:
            return super().accept(outgoing)
        has_room = Connection.accept(self, outgoing)
        if ends_stream(outgoing.frame):
            self.close()  # when everything is sent
        return has_room

    def encode_update(self, frame: Snapshot) -> bytes | None:
        """Encode an update of a history, and close the stream after the last one."""
        if frame.over:
            self.close()
        return super().encode_update(frame)

    def write(self, data: bytes) -> None:
        """Add bytes as they are."""
        if not self.put(data):
            self.cut()

    def respond(self, response: Response, *, last: bool = False) -> None:
        """Add the response to the latest request."""
        data = self.exchange.encode_response(response, last=last)
        self.budget.spend(len(data))
        self.write(data)

    def begin_stream(self, response: Response, encoder: Encoder) -> None:
        """Begin a stream with the response to its request, unless that is a refusal."""
        if response.status != HTTPStatus.OK:
            self.respond(response, last=True)
            self.close()
            return
        cors = "".join(f"{name}: {value}\r\n" for name, value in self.exchange.cors)
        self.write(STREAM_HEAD + cors.encode("latin-1") + b"\r\n")
        self.encoder, self.is_streaming = encoder, True
        del self.exchange  # a stream takes no requests
