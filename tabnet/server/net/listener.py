"""Sockets: TLS and plain TCP, one connection at a time handed to who receives it.

Whatever a client does to its connection, no exception leaves it: the others go on.
"""

from __future__ import annotations

import errno
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, suppress
from typing import Protocol, TypeAlias

import trio

from tabnet.errors import StartError
from tabnet.server.net.transport import SocketTransport, TlsTransport, Transport

log = logging.getLogger("tabnet")

HANDSHAKE_S = 10
"""How long a client may take for the TLS handshake."""
GONE = "gone"
"""The address of a client that has left before it was looked at."""
KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""A machine that has vanished is noticed after two minutes of silence."""

Speak: TypeAlias = Callable[[Transport, str], Awaitable[None]]
"""Serves a transport to a client with that address, until either has had enough."""


class Dialect(Protocol):
    """A protocol on a port: it decodes bytes into commands and encodes frames into bytes."""

    def admitting(self, address: str) -> AbstractContextManager[bool]:
        """Count a connection while the block runs, if there is room for it; tells whether so."""
        ...

    async def converse(self, transport: Transport, address: str) -> None:
        """Serve a client."""
        ...

    async def send_away(self, transport: Transport, address: str) -> None:
        """Say that there is no room, if that can be said within a moment."""
        ...

    async def run(self) -> None:
        """Do what the dialect does beside its connections, until cancelled."""
        ...


async def open_port(host: str, port: int, option: str) -> list[trio.SocketListener]:
    """Listen on a port, 0 for any free one; raises `StartError` with the way out."""
    try:
        return await trio.open_tcp_listeners(port, host=host)
    except (OSError, OverflowError) as error:
        if isinstance(error, OSError) and _is_taken(error):
            text = f"port {port} on {host} is taken"
            hint = f"choose another with {option}, or 0 for any free one"
        else:
            reason = getattr(error, "strerror", None) or error
            text, hint = f"cannot listen on {host} port {port}: {reason}", None
        raise StartError(text, hint=hint) from None


def _is_taken(error: OSError) -> bool:
    causes = [error, error.__cause__]
    return any(isinstance(cause, OSError) and cause.errno == errno.EADDRINUSE for cause in causes)


def address_of(listener: trio.SocketListener) -> str:
    """The address a listener has, like 127.0.0.1:45679."""
    return _text(listener.socket.getsockname())


def _text(name: tuple[str, int] | tuple[str, int, int, int]) -> str:
    host, port = name[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def serve_tcp(dialect: Dialect, stream: trio.SocketStream) -> None:
    """One plain connection, from its first to its last byte."""
    address, transport = peer_of(stream), SocketTransport(detached(stream))
    with dialect.admitting(address) as has_room:
        if not has_room:
            log.debug("not let in", extra={"fields": {"address": address}})
        await serve_transport(
            dialect.converse if has_room else dialect.send_away, transport, address
        )


async def serve_tls(
    dialect: Dialect,
    context: Callable[[], ssl.SSLContext],
    handshaking: trio.Lock,
    stream: trio.SocketStream,
) -> None:
    """One TLS connection, from its handshake to its last byte.

    `context` gives the settings that hold now; `handshaking` is one lock for all connections.
    """
    address, connected = peer_of(stream), detached(stream)
    with dialect.admitting(address) as has_room:
        if not has_room or address == GONE:
            log.debug("not let in", extra={"fields": {"address": address}})
            connected.close()  # a handshake costs more than the refusal is worth
            return
        transport = await secured(connected, context(), handshaking, address)
        if transport is not None:
            await serve_transport(dialect.converse, transport, address)


async def serve_transport(speak: Speak, transport: Transport, address: str) -> None:
    """Speak over any transport, and hang up; whatever happens to the connection ends here."""
    try:
        await speak(transport, address)
    except Exception:
        log.exception("failed", extra={"fields": {"address": address}})
    finally:
        transport.close()


async def secured(
    connected: socket.socket, context: ssl.SSLContext, handshaking: trio.Lock, address: str
) -> TlsTransport | None:
    """Agree with the client on a key; if that fails, hang up."""
    try:
        transport = TlsTransport(connected, context)
    except OSError:  # gone since
        connected.close()
        return None
    try:
        with trio.fail_after(HANDSHAKE_S):
            await transport.handshake(handshaking)
    except (OSError, trio.TooSlowError) as error:
        told = {"address": address, "error": str(error) or "too slow"}
        log.debug("no handshake", extra={"fields": told})
        transport.close()
        return None
    except trio.Cancelled:
        transport.close()
        raise
    return transport


def peer_of(stream: trio.SocketStream) -> str:
    """The address at the other end."""
    try:
        return _text(stream.socket.getpeername())
    except OSError:
        return GONE


def detached(stream: trio.SocketStream) -> socket.socket:
    """The bare socket of a stream, watched by the system for machines that vanish."""
    connected = socket.socket(fileno=stream.socket.detach())
    with suppress(OSError):  # already gone
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEPALIVE.items():
            if hasattr(socket, name):
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return connected
