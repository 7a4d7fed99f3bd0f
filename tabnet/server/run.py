"""A whole server, from its first port to its last connection."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from functools import partial

import trio

from tabnet.server.hub import Hub
from tabnet.server.listener import address_of, open_port, serve_tcp, serve_tls

LOOPBACK = "127.0.0.1"
"""Plain TCP is for this machine alone."""
LAST_WORDS_S = 0.5
"""How long connections have, at the end, to take what they were sent."""


async def serve(
    hub: Hub,
    *,
    host: str,
    tls_port: int,
    tcp_port: int,
    context: ssl.SSLContext,
    listening: Callable[[str, str], None],
    stop: trio.Event,
) -> None:
    """Serve until `stop` is set; `listening` is told "tls" and "tcp" with their addresses."""
    tls = await open_port(host, tls_port, "--tls-port")
    listening("tls", address_of(tls[0]))
    tcp = await open_port(LOOPBACK, tcp_port, "--tcp-port")
    listening("tcp", address_of(tcp[0]))
    async with trio.open_nursery() as connections, trio.open_nursery() as doors:
        accept = partial(trio.serve_listeners, handler_nursery=connections)
        doors.start_soon(accept, partial(serve_tls, hub, context), tls)
        doors.start_soon(accept, partial(serve_tcp, hub), tcp)
        doors.start_soon(hub.keep_time)
        doors.start_soon(hub.keep_house)
        await stop.wait()
        hub.dismiss_all("stopping")
        doors.cancel_scope.cancel()
        connections.cancel_scope.deadline = trio.current_time() + LAST_WORDS_S
