"""The web doors: their ports, and the streams that are kept alive behind them."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from functools import partial

import trio
from attrs import frozen

from tabnet.gateways.events import HEARTBEAT
from tabnet.gateways.http import Web
from tabnet.gateways.visitor import Visitor
from tabnet.server.hub import Hub
from tabnet.server.listener import address_of, open_port, serve_tcp, serve_tls
from tabnet.server.run import in_the_clear, open_to_all

HEARTBEAT_S = 20
"""How often a stream is sent a comment, so that nobody between thinks it dead."""


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
            nursery.start_soon(accept, partial(serve_tcp, web), doors.http)
        if doors.https:
            secure = partial(serve_tls, web, context, trio.Lock())
            nursery.start_soon(accept, secure, doors.https)


async def keep_streams(hub: Hub) -> None:
    """Let every stream show that it is alive."""
    while True:
        await trio.sleep(HEARTBEAT_S)
        for connection in list(hub.post.connections.values()):
            if isinstance(connection, Visitor) and connection.is_streaming:
                connection.write(HEARTBEAT)
                hub.post.touch(connection)
