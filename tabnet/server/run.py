"""A whole server, from its first port to its last connection."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import trio
from attrs import frozen

from tabnet.errors import StartError
from tabnet.server.database import Sync
from tabnet.server.house import keep_house, keep_orders
from tabnet.server.hub import Hub, now
from tabnet.server.limits import Limits
from tabnet.server.listener import address_of, open_port, serve_tcp, serve_tls
from tabnet.server.office import revived
from tabnet.server.store import open_store
from tabnet.server.talk import Talk

LOOPBACK = "127.0.0.1"
EVERYWHERE = {"0.0.0.0": LOOPBACK, "::": "::1"}  # noqa: S104 - not to listen on
"""Where this machine reaches itself when a port is open on all of its addresses."""
LAST_WORDS_S = 0.5
"""How long connections have, at the end, to take what they were sent."""


@frozen
class Doors:
    """The ports a server listens on."""

    tls: list[trio.SocketListener]
    tcp: list[trio.SocketListener]

    @property
    def plain_to_all(self) -> list[str]:
        """The addresses without TLS that other machines reach."""
        return open_to_all(self.tcp)

    @property
    def plain_address(self) -> tuple[str, int]:
        """Where this machine itself comes in without TLS."""
        host, port = self.tcp[0].socket.getsockname()[:2]
        return (EVERYWHERE.get(host, host), port)

    async def close(self) -> None:
        """Listen no more."""
        for door in [*self.tls, *self.tcp]:
            await door.aclose()


async def open_doors(
    host: str,
    tls_port: int,
    tcp_port: int,
    *,
    tcp_host: str = LOOPBACK,
    allow_plain: bool = False,
) -> Doors:
    """Listen on both ports; raises `StartError` if one cannot be had.

    Without `allow_plain` this machine alone may speak without TLS.
    """
    doors = Doors(
        tls=await open_port(host, tls_port, "--tls-port"),
        tcp=await open_port(tcp_host, tcp_port, "--tcp-port"),
    )
    if doors.plain_to_all and not allow_plain:
        await doors.close()
        raise in_the_clear(tcp_host, "--tcp-host")
    return doors


def in_the_clear(host: str, option: str) -> StartError:
    """Other machines may not speak without TLS, unless the operator says so."""
    return StartError(
        f"{host} is no loopback address: passwords would travel in the clear",
        hint=f"leave {option} out, or add --allow-plain",
    )


def open_to_all(doors: list[trio.SocketListener]) -> list[str]:
    """The addresses of these doors that other machines reach."""
    return [address_of(door) for door in doors if not _is_loopback(door)]


@asynccontextmanager
async def open_hub(
    folder: Path | None, sync: Sync = "full", limits: Limits | None = None
) -> AsyncIterator[Hub]:
    """A hub that goes on where the last one on the same folder ended; None keeps nothing."""
    if folder is None:
        yield Hub(limits=limits)
        return
    async with open_store(folder, sync=sync) as store:
        yield Hub(await revived(store, folder, now()), store, limits)


def _is_loopback(door: trio.SocketListener) -> bool:
    return ipaddress.ip_address(door.socket.getsockname()[0].partition("%")[0]).is_loopback


async def serve(
    hub: Hub,
    doors: Doors,
    context: Callable[[], ssl.SSLContext],
    stop: trio.Event,
    gateway: Callable[[trio.Nursery], Awaitable[None]] | None = None,
) -> None:
    """Serve until `stop` is set; then matches and connections have no more than a moment left.

    `context` gives the TLS settings for the next connection; a `gateway` lets others in, and is
    given the nursery for its connections.
    """
    trio.lowlevel.add_instrument(hub.post)
    async with trio.open_nursery() as connections, trio.open_nursery() as house:
        accept = partial(trio.serve_listeners, handler_nursery=connections)
        talk, handshaking = Talk(hub), trio.Lock()
        house.start_soon(accept, partial(serve_tls, talk, context, handshaking), doors.tls)
        house.start_soon(accept, partial(serve_tcp, talk), doors.tcp)
        if gateway is not None:
            house.start_soon(gateway, connections)
        house.start_soon(hub.keep_time)
        house.start_soon(keep_house, hub)
        house.start_soon(hub.keep)
        house.start_soon(keep_orders, hub)
        await stop.wait()
        await hub.wind_up()
        hub.stop()
        await hub.settled()
        house.cancel_scope.cancel()
        connections.cancel_scope.deadline = trio.current_time() + LAST_WORDS_S
    trio.lowlevel.remove_instrument(hub.post)
