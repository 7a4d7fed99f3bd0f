"""The ports of a server: each has an address, TLS or not, and a dialect."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import trio
from attrs import frozen

from tabnet.errors import StartError
from tabnet.server.net.accepted_sockets import Dialect, get_address, open_port, serve_tcp, serve_tls
from tabnet.server.net.hub import Hub

LOOPBACK = "127.0.0.1"
EVERYWHERE = {"0.0.0.0": LOOPBACK, "::": "::1"}  # noqa: S104 - not to listen on
"""The address at which this machine reaches a port that is open on all of its addresses."""


@frozen
class PortSettings:
    """A port to open."""

    name: str
    """Its name in `tabnet serve`, where its option is --NAME-port."""
    host: str
    number: int
    """0 is any free one."""
    dialect: Callable[[Hub], Dialect]
    is_tls: bool = False
    plain_dialect: Callable[[Hub], Dialect] | None = None
    """The dialect of clients that do not begin with TLS, on a port with TLS."""
    carries_passwords: bool = True
    """Other machines may use it without TLS only if the operator allows that."""


@frozen
class Port:
    """An open port."""

    settings: PortSettings
    listeners: list[trio.SocketListener]

    @property
    def address(self) -> str:
        """The address, like 127.0.0.1:45679."""
        return get_address(self.listeners[0])

    @property
    def local_address(self) -> tuple[str, int]:
        """The host and number at which this machine itself reaches the port."""
        host, number = self.listeners[0].socket.getsockname()[:2]
        return (EVERYWHERE.get(host, host), number)

    @property
    def reachable(self) -> list[str]:
        """The addresses that other machines can reach."""
        return [get_address(each) for each in self.listeners if not _is_loopback(each)]

    @property
    def exposed(self) -> list[str]:
        """The addresses at which other machines can send passwords without TLS."""
        is_safe = self.settings.is_tls or not self.settings.carries_passwords
        return [] if is_safe else self.reachable

    def close(self) -> None:
        """Stop listening."""
        for listener in self.listeners:
            listener.socket.close()


async def open_ports(
    settings: Iterable[PortSettings], *, allow_plain: bool = False
) -> dict[str, Port]:
    """Open every port, by name; if one cannot be opened, open none and raise `StartError`.

    Without `allow_plain` only this machine can connect without TLS.
    """
    ports: dict[str, Port] = {}
    try:
        for each in settings:
            ports[each.name] = await _open_port(each, allow_plain=allow_plain)
    except BaseException:
        for port in ports.values():
            port.close()
        raise
    return ports


async def _open_port(settings: PortSettings, *, allow_plain: bool) -> Port:
    listeners = await open_port(settings.host, settings.number, f"--{settings.name}-port")
    port = Port(settings, listeners)
    if port.exposed and not allow_plain:
        port.close()
        text = f"{settings.host} is no loopback address: passwords would travel in the clear"
        hint = f"leave --{settings.name}-host out, or add --allow-plain"
        raise StartError(text, hint=hint)
    return port


async def serve_ports(
    hub: Hub,
    ports: Sequence[Port],
    context: Callable[[], ssl.SSLContext],
    connections: trio.Nursery,
) -> None:
    """Accept connections on every port until cancelled; they run in the nursery `connections`.

    `context` returns the TLS settings for the next connection.
    """
    handshaking = trio.Lock()
    async with trio.open_nursery() as nursery:
        for port in ports:
            dialect = port.settings.dialect(hub)
            serve = partial(serve_tcp, dialect)
            if port.settings.is_tls:
                plain = port.settings.plain_dialect and port.settings.plain_dialect(hub)
                serve = partial(serve_tls, dialect, context, handshaking, plain=plain)
                if plain is not None:
                    nursery.start_soon(plain.run)
            accept = partial(trio.serve_listeners, handler_nursery=connections)
            nursery.start_soon(accept, serve, port.listeners)
            nursery.start_soon(dialect.run)


def _is_loopback(listener: trio.SocketListener) -> bool:
    host = listener.socket.getsockname()[0].partition("%")[0]
    return ipaddress.ip_address(host).is_loopback
