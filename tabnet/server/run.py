"""A whole server, from its first port to its last connection."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import trio
from attrs import frozen

from tabnet.server.database import Sync
from tabnet.server.hub import Hub, now
from tabnet.server.listener import open_port, serve_tcp, serve_tls
from tabnet.server.office import revived
from tabnet.server.store import open_store

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


@asynccontextmanager
async def open_hub(folder: Path | None, sync: Sync = "full") -> AsyncIterator[Hub]:
    """A hub that goes on where the last one on the same folder ended; None keeps nothing."""
    if folder is None:
        yield Hub()
        return
    async with open_store(folder, sync=sync) as store:
        yield Hub(await revived(store, folder, now()), store)


async def serve(hub: Hub, doors: Doors, context: ssl.SSLContext, stop: trio.Event) -> None:
    """Serve until `stop` is set; then no connection has more than a moment left."""
    trio.lowlevel.add_instrument(hub)
    async with trio.open_nursery() as connections, trio.open_nursery() as house:
        accept = partial(trio.serve_listeners, handler_nursery=connections)
        house.start_soon(accept, partial(serve_tls, hub, context), doors.tls)
        house.start_soon(accept, partial(serve_tcp, hub), doors.tcp)
        house.start_soon(hub.keep_time)
        house.start_soon(hub.keep_house)
        house.start_soon(hub.keep)
        house.start_soon(hub.keep_orders)
        await stop.wait()
        hub.stop()
        await hub.settled()
        house.cancel_scope.cancel()
        connections.cancel_scope.deadline = trio.current_time() + LAST_WORDS_S
    trio.lowlevel.remove_instrument(hub)
