"""Runs a whole server, from its store and its ports to its last connection."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from tabnet.server.core.costs.limits import Limits
from tabnet.server.net.hub import Hub
from tabnet.server.net.idle_timeouts import disconnect_idle
from tabnet.server.net.loop_lag import measure_lag
from tabnet.server.net.ports import Port, serve_ports
from tabnet.server.net.server_clock import now
from tabnet.server.storage.database_file import Sync
from tabnet.server.storage.store import open_store, restore_from

LAST_FRAMES_S = 0.5
"""The time at the end in which connections may take their last frames."""


@asynccontextmanager
async def open_hub(
    folder: Path | None, sync: Sync = "full", limits: Limits | None = None
) -> AsyncIterator[Hub]:
    """Open a hub that goes on where the last one on the same folder ended; None stores nothing."""
    if folder is None:
        yield Hub(limits=limits)
        return
    async with open_store(folder, sync=sync) as store:
        yield Hub(await restore_from(store, now), store, limits)


async def serve(
    hub: Hub,
    ports: Sequence[Port],
    context: Callable[[], ssl.SSLContext],
    stop: trio.Event,
    *tasks: Callable[[], Awaitable[None]],
) -> None:
    """Serve until `stop` is set, and then end matches and connections within a moment.

    `context` returns the TLS settings for the next connection. `tasks` run beside the connections
    and are cancelled at the end.
    """
    with hub.outbox.active():
        async with trio.open_nursery() as connections, trio.open_nursery() as background:
            background.start_soon(serve_ports, hub, ports, context, connections)
            for task in (hub.keep_time, hub.commit, *tasks):
                background.start_soon(task)
            background.start_soon(disconnect_idle, hub)
            background.start_soon(measure_lag, hub.counts.loop_lag)
            await stop.wait()
            await hub.end_matches()
            hub.stop()
            await hub.wait_until_committed()
            background.cancel_scope.cancel()
            connections.cancel_scope.deadline = trio.current_time() + LAST_FRAMES_S
