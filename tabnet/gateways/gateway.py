"""The web doors: their ports, and the streams that are kept alive behind them."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import trio
from attrs import frozen

from tabnet.gateways.events import HEARTBEAT
from tabnet.gateways.exchange import Exchange
from tabnet.gateways.http import Web, no_room, serve_web
from tabnet.gateways.visitor import Visitor
from tabnet.server.hub import Hub
from tabnet.server.link import Link, SocketLink
from tabnet.server.listener import GONE, address_of, detached, open_port, peer_of, secured
from tabnet.server.run import in_the_clear, open_to_all

log = logging.getLogger("tabnet")

HEARTBEAT_S = 20
"""How often a stream is sent a comment, so that nobody between thinks it dead."""
SEND_AWAY_S = 1
"""How long the request is waited for that is refused for want of room."""


@frozen
class WebDoors:
    """The ports for HTTP and HTTPS; either may be missing."""

    http: list[trio.SocketListener]
    https: list[trio.SocketListener]

    @property
    def plain_to_all(self) -> list[str]:
        """The addresses without TLS that other machines reach."""
        return open_to_all(self.http)

    def addresses(self) -> list[tuple[str, str]]:
        """What is spoken on each port, and its address."""
        ports = {"http": self.http, "https": self.https}
        return [(name, address_of(doors[0])) for name, doors in ports.items() if doors]


async def open_web_doors(
    http: tuple[str, int | None], https: tuple[str, int | None], *, allow_plain: bool = False
) -> WebDoors:
    """Listen on each port that is given, with its host; raises `StartError` if that cannot be.

    Without `allow_plain` this machine alone may speak without TLS.
    """
    doors = WebDoors(
        http=await _open(*http, "--http-port"), https=await _open(*https, "--https-port")
    )
    if doors.plain_to_all and not allow_plain:
        for door in [*doors.http, *doors.https]:
            await door.aclose()
        raise in_the_clear(http[0], "--http-host")
    return doors


async def _open(host: str, port: int | None, option: str) -> list[trio.SocketListener]:
    return [] if port is None else await open_port(host, port, option)


async def serve_web_doors(
    web: Web, doors: WebDoors, context: Callable[[], ssl.SSLContext], connections: trio.Nursery
) -> None:
    """Let clients in, for ever; `connections` runs what they do."""
    accept = partial(trio.serve_listeners, handler_nursery=connections)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep_streams, web.hub)
        if doors.http:
            nursery.start_soon(accept, partial(serve_http, web), doors.http)
        if doors.https:
            secure = partial(serve_https, web, context, trio.Lock())
            nursery.start_soon(accept, secure, doors.https)


async def keep_streams(hub: Hub) -> None:
    """Let every stream show that it is alive."""
    while True:
        await trio.sleep(HEARTBEAT_S)
        for connection in list(hub.post.connections.values()):
            if isinstance(connection, Visitor) and connection.is_streaming:
                connection.write(HEARTBEAT)
                hub.post.touch(connection)


async def serve_http(web: Web, stream: trio.SocketStream) -> None:
    """One connection, from its first to its last byte."""
    address, link = peer_of(stream), SocketLink(detached(stream))
    with web.admitting(address) as has_room:
        if has_room:
            await serve_web(web, link, address)
        else:
            await _send_away(link, address)


async def _send_away(link: Link, address: str) -> None:
    """Say that there is no room, as soon as something is asked, and hang up."""
    log.debug("not let in", extra={"fields": {"address": address}})
    try:
        with suppress(OSError), trio.move_on_after(SEND_AWAY_S):
            away = Exchange(link, 0)
            await away.request()
            link.send(away.response(no_room(), last=True))
    finally:
        link.close()


async def serve_https(
    web: Web,
    context: Callable[[], ssl.SSLContext],
    handshaking: trio.Lock,
    stream: trio.SocketStream,
) -> None:
    """One connection over TLS, from its handshake to its last byte."""
    address, connected = peer_of(stream), detached(stream)
    with web.admitting(address) as has_room:
        if not has_room or address == GONE:
            log.debug("not let in", extra={"fields": {"address": address}})
            connected.close()  # a handshake costs more than the refusal is worth
            return
        link = await secured(connected, context(), handshaking, address)
        if link is not None:
            await serve_web(web, link, address)
