"""One connection over HTTP, from its first request to its last byte.

A request is a command of somebody who is gone with its reply; a stream is a connection that follows
one game. Both have the limits of every other connection.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus

import trio
from attrs import Factory, frozen

from tabnet.dialects.web.http_connection import HttpConnection
from tabnet.dialects.web.http_exchange import Exchange
from tabnet.dialects.web.page_files import page
from tabnet.dialects.web.proxies import Network, client_behind, is_trusted
from tabnet.dialects.web.responses import CORS, Answer, native, problem
from tabnet.dialects.web.routes import Ask, Files, Follow, Greet, Request, route
from tabnet.dialects.web.sse import HEARTBEAT
from tabnet.protocol import codec
from tabnet.protocol.messages import Update
from tabnet.server.core.limits import COME_BACK_S, origin_of
from tabnet.server.net.hub import Hub, now
from tabnet.server.net.transport import Transport

log = logging.getLogger("tabnet")

LINGER_S = 2
"""How long the rest of a request is read that was answered before its end: a connection that is
closed with something unread takes the answer with it."""
HEARTBEAT_S = 20
"""How often a stream is sent a comment, so that no proxy takes it for dead."""
SEND_AWAY_S = 1
"""How long the request is waited for that is refused for want of room."""


@frozen
class Web:
    """HTTP; see `Dialect`."""

    hub: Hub
    proxies: Sequence[Network] = ()
    """Who is believed when it says for whom it asks."""
    files: Files = Factory(page)

    @contextmanager
    def admitting(self, address: str) -> Iterator[bool]:
        """Count a connection, if there is room for it; of a proxy its requests are counted."""
        if is_trusted(host_of(address), self.proxies):
            yield True
        else:
            with self.hub.crowd.admitting(origin_of(address)) as has_room:
                yield has_room

    async def send_away(self, transport: Transport, address: str) -> None:  # noqa: ARG002 - whoever it is
        """Say that there is no room, as soon as something is asked."""
        with suppress(OSError), trio.move_on_after(SEND_AWAY_S):
            away = Exchange(transport, 0)
            await away.request()
            transport.send(away.response(no_room(), last=True))

    async def run(self) -> None:
        """Send every stream a comment now and then: it shows that the connection is alive."""
        while True:
            await trio.sleep(HEARTBEAT_S)
            for connection in list(self.hub.outbox.connections.values()):
                if isinstance(connection, HttpConnection) and connection.is_streaming:
                    connection.write(HEARTBEAT)
                    self.hub.outbox.touch(connection)

    async def converse(self, transport: Transport, address: str) -> None:
        """Answer requests until the client or the hub has had enough."""
        async with trio.open_nursery() as nursery:
            visitor = self.hub.admit(HttpConnection, address, transport, nursery)
            say = partial(_say, self, visitor)
            visitor.exchange = Exchange(transport, self.hub.limits.line_bytes, say)
            try:
                await _serve_requests(self, visitor, transport)
                self.hub.finish(visitor)
                await trio.sleep_forever()
            finally:
                self.hub.disconnect(visitor)


def host_of(address: str) -> str:
    """The host of an address like [::1]:8008."""
    return address.rpartition(":")[0].strip("[]")


async def _serve_requests(web: Web, visitor: HttpConnection, transport: Transport) -> None:
    """Answer one request after the other, until the client or the hub has had enough."""
    try:
        while (request := await visitor.exchange.request()) is not None and visitor.listens:
            if isinstance(request, Answer):
                _say(web, visitor, visitor.exchange.response(request, last=True))
                await _linger(transport)
                return
            await _serve_counted(web, visitor, transport, request)
            if visitor.is_following or not visitor.exchange.goes_on():
                return
    except OSError:
        visitor.cut()
    except Exception:
        log.exception("failed", extra={"fields": {"session": visitor.number}})
        web.hub.dismiss(visitor, "server_error")


async def _linger(transport: Transport) -> None:
    with trio.move_on_after(LINGER_S):
        while await transport.receive():
            pass


async def _serve_counted(
    web: Web, visitor: HttpConnection, transport: Transport, request: Request
) -> None:
    """Serve a request for whom it counts."""
    peer = host_of(visitor.address)
    if not is_trusted(peer, web.proxies):
        await _serve(web, visitor, transport, request)
        return
    client = client_behind(peer, request.headers.get("x-forwarded-for", ""), web.proxies)
    visitor.origin = origin_of(f"{client}:0")
    visitor.proofs = {}  # they are another client's
    with web.hub.crowd.admitting(visitor.origin) as has_room:
        if has_room:
            await _serve(web, visitor, transport, request)
        else:
            _say(web, visitor, visitor.exchange.response(no_room()))


def no_room() -> Answer:
    """There are too many connections."""
    text = "too many connections"
    return problem(HTTPStatus.TOO_MANY_REQUESTS, text, Retry_After=str(COME_BACK_S))


async def _serve(web: Web, visitor: HttpConnection, transport: Transport, request: Request) -> None:
    meaning = route(request, web.files)
    if isinstance(meaning, Ask):
        web.hub.service.visit(visitor.number)
        replied = visitor.ask(meaning)
        await web.hub.serve(visitor, meaning.command)
        await replied.wait()
    elif isinstance(meaning, Follow):
        await _follow(web, visitor, transport, meaning)
    else:
        if isinstance(meaning, Greet):
            meaning = native(codec.encode(web.hub.service.hello()))
        _tell(web, visitor, meaning)
        await trio.lowlevel.checkpoint()


def _tell(web: Web, visitor: HttpConnection, answer: Answer) -> None:
    """Answer by oneself: that costs as much as a command."""
    visitor.heard, visitor.has_spoken = now(), True
    if not visitor.allowance.take(now()):
        answer = problem(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", Retry_After="1")
    _say(web, visitor, visitor.exchange.response(answer))


async def _follow(web: Web, visitor: HttpConnection, transport: Transport, follow: Follow) -> None:
    """Stream a game until it or the client has ended, unless the client has seen it all."""
    hub, command = web.hub, follow.command
    if isinstance(command, Update):
        await hub.recall(command)
        if _is_over(hub, command, follow):
            _tell(web, visitor, Answer(HTTPStatus.NO_CONTENT, CORS))
            return
    hub.service.attend(visitor.number, follow.nick)
    visitor.follow(follow)
    await hub.serve(visitor, command)
    await transport.receive()  # nothing should come: the client is gone, or no client of HTTP
    visitor.cut()


def _is_over(hub: Hub, command: Update, follow: Follow) -> bool:
    """Whether nothing is left to tell."""
    game = command.game or ""
    if not hub.service.games.knows(game):
        return follow.again  # a wait that has ended
    ended = hub.service.games.finished.get(game)
    return ended is not None and command.since is not None and command.since >= ended.seq


def _say(web: Web, visitor: HttpConnection, data: bytes) -> None:
    visitor.write(data)
    web.hub.outbox.touch(visitor)
