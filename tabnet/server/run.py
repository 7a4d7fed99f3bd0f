"""A whole server, from its first port to its last connection."""

from __future__ import annotations

import ssl
from functools import partial

import trio
from attrs import frozen

from tabnet.server.hub import Hub
from tabnet.server.listener import open_port, serve_tcp, serve_tls

LOOPBACK = "127.0.0.1"
"""Plain TCP is for this machine alone."""
LAST_WORDS_S = 0.5
"""How long connections have, at the end, to take what they were sent."""


@frozen
class Doors:
    """The ports a server listens on."""

    tls: list[trio.SocketListener]
    tcp: list[trio.SocketListener]


async def open_doors(host: str, tls_port: int, tcp_port: int) -> Doors:
    """Listen on both ports; raises `StartError` if one cannot be had."""
    return Doors(
        tls=await open_port(host, tls_port, "--tls-port"),
        tcp=await open_port(LOOPBACK, tcp_port, "--tcp-port"),
    )


async def serve(hub: Hub, doors: Doors, context: ssl.SSLContext, stop: trio.Event) -> None:
    """Serve until `stop` is set; then no connection has more than a moment left."""
    trio.lowlevel.add_instrument(hub)
    async with trio.open_nursery() as connections, trio.open_nursery() as house:
        accept = partial(trio.serve_listeners, handler_nursery=connections)
        house.start_soon(accept, partial(serve_tls, hub, context), doors.tls)
        house.start_soon(accept, partial(serve_tcp, hub), doors.tcp)
        house.start_soon(hub.keep_time)
        house.start_soon(hub.keep_house)
        await stop.wait()
        hub.stop()
        house.cancel_scope.cancel()
        connections.cancel_scope.deadline = trio.current_time() + LAST_WORDS_S
    trio.lowlevel.remove_instrument(hub)
