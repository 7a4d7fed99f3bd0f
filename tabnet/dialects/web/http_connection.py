"""A connection over HTTP: replies become responses, and the frames of a game become events."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

import trio

from tabnet.dialects.web.http_exchange import HttpExchange
from tabnet.dialects.web.responses import Response, bye_response
from tabnet.dialects.web.sse import ends_stream
from tabnet.protocol.frames import Bye, Reply, Snapshot
from tabnet.server.net.connection import Connection, Encoder, OutgoingFrame

STREAM_HEAD = b"""\
HTTP/1.1 200 OK\r
Content-Type: text/event-stream\r
Cache-Control: no-store\r
X-Accel-Buffering: no\r
Connection: close\r
"""
"""The body ends with the connection: so an event is the same bytes for all streams."""


class HttpConnection(Connection):
    """A connection that makes one request after the other, or is the stream of one game."""

    exchange: HttpExchange
    is_streaming = False
    """The connection is sent a game's events; nothing else can be asked on it."""
    _on_reply: Callable[[Response], None] | None = None
    """Takes the response to the request that is waiting for its reply."""
    _to_response: Callable[[Reply], Response]

    def accept(self, outgoing: OutgoingFrame) -> bool:
        """Add a frame if the client waits for one now; all others are not for it."""
        frame = outgoing.frame
        if self.is_streaming:
            return super().accept(outgoing)
        if self._on_reply is not None and isinstance(frame, Reply | Bye):
            on_reply, self._on_reply = self._on_reply, None
            self.note_answer(0)  # the response is charged
            on_reply(self._to_response(frame) if isinstance(frame, Reply) else bye_response(frame))
        return True

    def add(self, outgoing: OutgoingFrame) -> bool:
        """Add a frame to the stream, and close it after the last one."""
        has_room = super().add(outgoing)
        if ends_stream(outgoing.frame):
            self.close()
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
        data = self.exchange.encode(response, last=last)
        self.budget.spend(len(data))
        self.write(data)

    def await_reply(self, to_response: Callable[[Reply], Response]) -> trio.Event:
        """Send the next reply as the response; the event that comes back is set then."""
        replied = trio.Event()

        def on_reply(response: Response) -> None:
            self.respond(response, last=not self.listens)
            replied.set()

        self._to_response, self._on_reply = to_response, on_reply
        return replied

    def await_stream(self, encoder: Encoder, to_response: Callable[[Reply], Response]) -> None:
        """Begin a stream with the next reply, or send that reply if it is a refusal."""

        def on_reply(response: Response) -> None:
            if response.status != HTTPStatus.OK:
                self.respond(response, last=True)
                self.close()
                return
            cors = "".join(f"{name}: {value}\r\n" for name, value in self.exchange.cors)
            self.write(STREAM_HEAD + cors.encode("latin-1") + b"\r\n")
            self.encoder, self.is_streaming = encoder, True
            del self.exchange  # nothing is asked here any more

        self._to_response, self._on_reply = to_response, on_reply
