"""Sockets: listens on ports and hands each connection, TLS or plain TCP, to a dialect.

No exception leaves a connection, so that others go on.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path
from typing import Protocol, TypeAlias

import trio

from tabnet.errors import StartError
from tabnet.server.core.costs.client_origin import find_host, find_origin
from tabnet.server.net.hub import Hub
from tabnet.server.net.transport import SocketTransport, TlsTransport, Transport

log = logging.getLogger("tabnet")

HANDSHAKE_S = 10
"""The time that a client may take for the TLS handshake."""
FIRST_BYTE_S = 60
"""The time that a client may take for its first byte on a port with TLS and a plain dialect."""
TLS_HANDSHAKE = b"\x16"
"""The first byte of every client that begins with TLS."""
LONGEST_PATH = 103
"""The longest path of a local socket, in bytes, on every system."""
LOCAL_CLIENT = "127.0.0.1:0"
"""The address of a client on a local socket: this machine."""
GONE = "gone"
"""The address of a client that has disconnected already."""
KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""A machine that has vanished is disconnected after two minutes of silence."""

Serve: TypeAlias = Callable[[Transport, str], Awaitable[None]]
"""Serves a client with that address on a transport, until either ends the connection."""


class Dialect(Protocol):
    """A protocol on a port: it decodes bytes into commands and encodes frames into bytes."""

    @property
    def hub(self) -> Hub:
        """The hub that serves the dialect's connections."""
        ...

    def admit(self, address: str) -> AbstractContextManager[bool]:
        """Count a connection while the block runs; yield False if there is no room for it."""
        return self.hub.connection_counts.admit(find_origin(address))

    def is_banned(self, address: str) -> bool:
        """Return True if the operator has banned the address of a client."""
        return self.hub.find_ban(find_host(address)) is not None

    async def converse(self, transport: Transport, address: str) -> None:
        """Serve a client."""
        ...

    async def send_away(self, transport: Transport, address: str) -> None:
        """Refuse a banned client, or one too many, if it takes that within a moment."""
        ...

    async def run(self) -> None:
        """Run the tasks of the dialect beside its connections, until cancelled; by default none."""
        await trio.lowlevel.checkpoint()


async def open_port(host: str, port: int, option: str) -> list[trio.SocketListener]:
    """Listen on a port, 0 for any free one; raise `StartError` that names the option."""
    try:
        return await trio.open_tcp_listeners(port, host=host)
    except (OSError, OverflowError) as error:
        if errno.EADDRINUSE in (getattr(each, "errno", 0) for each in (error, error.__cause__)):
            text = f"port {port} on {host} is taken"
            hint = f"choose another with {option}, or 0 for any free one"
            raise StartError(text, hint=hint) from None
        reason = getattr(error, "strerror", None) or error
        raise StartError(f"cannot listen on {host} port {port}: {reason}") from None


async def open_local_socket(path: Path) -> trio.SocketListener | None:
    """Listen on a local socket (AF_UNIX); return None where the system or the path prevents it.

    Its folder decides which users can connect.
    """
    if not hasattr(socket, "AF_UNIX") or len(os.fsencode(path)) > LONGEST_PATH:
        return None
    listening = trio.socket.socket(socket.AF_UNIX)
    try:
        await listening.bind(str(path))
        listening.listen()
    except OSError:  # a file system without sockets
        listening.close()
        return None
    return trio.SocketListener(listening)


def get_address(listener: trio.SocketListener) -> str:
    """Return the address of a listener, like 127.0.0.1:45679."""
    return _format_address(listener.socket.getsockname())


def _format_address(name: tuple[str, int] | tuple[str, int, int, int]) -> str:
    host, port = name[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def serve_tcp(dialect: Dialect, stream: trio.SocketStream) -> None:
    """Serve a plain connection, from its first to its last byte."""
    address, transport = get_peer_address(stream), SocketTransport(detach_socket(stream))
    with dialect.admit(address) as has_room:
        if not has_room:
            log.debug("refused", extra={"fields": {"address": address}})
        serve = choose_service(dialect, address) if has_room else dialect.send_away
        await serve_transport(serve, transport, address)


async def serve_tls(
    dialect: Dialect,
    context: Callable[[], ssl.SSLContext],
    handshaking: trio.Lock,
    stream: trio.SocketStream,
    plain: Dialect | None = None,
) -> None:
    """Serve a TLS connection, from its handshake to its last byte.

    `context` returns the current settings; `handshaking` is one lock for all connections. The
    dialect `plain` serves clients that do not begin with TLS.
    """
    address, connected = get_peer_address(stream), detach_socket(stream)
    with closing(connected), dialect.admit(address) as has_room:
        # A handshake only to refuse would cost too much.
        if not has_room or address == GONE or dialect.is_banned(address):
            log.debug("refused", extra={"fields": {"address": address}})
        elif plain is None or (first := await peek_first_byte(connected)) == TLS_HANDSHAKE:
            tls = await secure(connected, context(), handshaking, address)
            if tls is not None:
                await serve_transport(choose_service(dialect, address), tls, address)
        elif first:
            serve = choose_service(plain, address)
            await serve_transport(serve, SocketTransport(connected), address)


def choose_service(dialect: Dialect, address: str) -> Serve:
    """Return the service for a client that has a place: it may have been banned since."""
    return dialect.send_away if dialect.is_banned(address) else dialect.converse


async def peek_first_byte(connected: socket.socket) -> bytes:
    """Return the first byte that a client sends, and leave it unread; nothing if none comes."""
    with suppress(OSError), trio.move_on_after(FIRST_BYTE_S):  # an error: gone since
        await trio.lowlevel.wait_readable(connected)
        return connected.recv(1, socket.MSG_PEEK)
    return b""


async def serve_transport(serve: Serve, transport: Transport, address: str) -> None:
    """Serve a client on any transport, and close it; log every exception."""
    try:
        await serve(transport, address)
    except Exception:
        log.exception("failed", extra={"fields": {"address": address}})
    finally:
        transport.close()


async def secure(
    connected: socket.socket, context: ssl.SSLContext, handshaking: trio.Lock, address: str
) -> TlsTransport | None:
    """Perform the TLS handshake; return None and close the socket if it fails."""
    try:
        transport = TlsTransport(connected, context)
    except OSError:  # gone since
        return None
    try:
        with trio.fail_after(HANDSHAKE_S):
            await transport.handshake(handshaking)
    except (OSError, trio.TooSlowError) as error:
        fields = {"address": address, "error": str(error) or "too slow"}
        log.debug("no handshake", extra={"fields": fields})
        transport.close()
        return None
    except trio.Cancelled:
        transport.close()
        raise
    return transport


def get_peer_address(stream: trio.SocketStream) -> str:
    """Return the address of the client."""
    if stream.socket.family not in (socket.AF_INET, socket.AF_INET6):
        return LOCAL_CLIENT
    try:
        return _format_address(stream.socket.getpeername())
    except OSError:
        return GONE


def detach_socket(stream: trio.SocketStream) -> socket.socket:
    """Return the bare socket of a stream; the system closes it if the client's machine vanishes."""
    connected = socket.socket(fileno=stream.socket.detach())
    with suppress(OSError):  # already gone
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEPALIVE.items():
            if hasattr(socket, name):
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return connected
