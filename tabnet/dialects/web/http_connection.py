"""A client over HTTP, as the hub sees it: what it is sent becomes responses and events."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import orjson
import trio

from tabnet.dialects.web.http_exchange import Exchange
from tabnet.dialects.web.responses import Answer, problem, status_of
from tabnet.dialects.web.routes import Ask, Follow
from tabnet.dialects.web.sse import Event, Maker
from tabnet.server.net.connection import Connection

log = logging.getLogger("tabnet")

REPLY = b'{"type":"reply"'
BYE = b'{"type":"bye"'

STREAM_HEAD = b"""\
HTTP/1.1 200 OK\r
Content-Type: text/event-stream\r
Cache-Control: no-store\r
Access-Control-Allow-Origin: *\r
X-Accel-Buffering: no\r
Connection: close\r
\r
"""
"""The body ends with the connection: so an event is the same bytes for all streams."""


class HttpConnection(Connection):
    """A connection over HTTP, which asks one thing after the other, or follows one game."""

    exchange: Exchange
    is_following = False
    """It has asked to follow a game, and asks nothing else."""
    is_streaming = False
    """It is sent a game's events."""
    _heard_as: Maker | None = None
    """What a frame from the hub becomes; nobody waits for one otherwise."""

    def put(self, line: bytes) -> bool:
        """Pass on what the hub says, as far as this client waits for it now."""
        try:
            event = self._heard_as and self._heard_as(line)
        except Exception:  # it would cost others what is to be put into theirs
            log.exception("failed", extra={"fields": {"session": self.number}})
            self.cut()
            return True
        if event is None:
            return True
        has_room = super().put(event.data)
        if event.last:
            self._heard_as = None
            self.close()
        return has_room

    def write(self, data: bytes) -> None:
        """Add bytes as they are."""
        if not super().put(data):
            self.cut()

    def ask(self, ask: Ask) -> trio.Event:
        """From now on a reply is the response; tells when it has come."""
        replied = trio.Event()

        def response(line: bytes) -> Event | None:
            answer = _answer(line, ask.answer)
            if answer is None:
                return None
            replied.set()
            self._heard_as = None
            return Event(self.exchange.response(answer, last=not self.listens))

        self._heard_as = response
        return replied

    def follow(self, follow: Follow) -> None:
        """From now on every frame is an event, after the reply that lets the stream begin."""

        def begin(line: bytes) -> Event | None:
            answer = _answer(line, follow.refusal)
            if answer is None:
                return None
            if answer.status != 200:
                return Event(self.exchange.response(answer, last=True), last=True)
            self._heard_as = follow.event
            self.is_streaming = True
            del self.exchange  # nothing is asked here any more
            return Event(STREAM_HEAD)

        self.is_following = True
        self._heard_as = begin


def _answer(line: bytes, shape: Callable[[bytes], Answer]) -> Answer | None:
    """What a frame answers to a request; None if it answers nothing."""
    if line.startswith(REPLY):
        return shape(line)
    if line.startswith(BYE):
        bye: dict[str, Any] = orjson.loads(line)
        return problem(status_of(bye["code"]), bye["reason"])
    return None
