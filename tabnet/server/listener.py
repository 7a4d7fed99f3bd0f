"""Sockets: TLS and plain TCP, one connection at a time handed to the hub.

Whatever a client does to its connection, no exception leaves it: the others go on.
"""

from __future__ import annotations

import errno
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress

import trio

from tabnet.errors import CODES, StartError, WireError
from tabnet.protocol import codec
from tabnet.protocol.frames import Bye
from tabnet.protocol.lines import Lines
from tabnet.server.connection import Connection
from tabnet.server.hub import Hub
from tabnet.server.limits import COME_BACK_S, origin_of
from tabnet.server.link import Link, SocketLink, TlsLink

log = logging.getLogger("tabnet")

HANDSHAKE_S = 10
"""How long a client may take for the TLS handshake."""
GONE = "gone"
"""The address of a client that has left before it was looked at."""
KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""A machine that has vanished is noticed after two minutes of silence."""


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


async def serve_tcp(hub: Hub, stream: trio.SocketStream) -> None:
    """One plain connection, from its first to its last byte."""
    address, link = peer_of(stream), SocketLink(detached(stream))
    with hub.crowd.admitting(origin_of(address)) as has_room:
        if has_room:
            await serve_link(hub, link, address)
        else:
            _send_away(link, address)


def _send_away(link: SocketLink, address: str) -> None:
    """Say that there is no room, if that can be said at once, and hang up."""
    log.debug("not let in", extra={"fields": {"address": address}})
    code = "too_many_connections"
    with suppress(OSError):
        link.send(codec.encode(Bye(reason=CODES[code], code=code, retry_after=COME_BACK_S)))
    link.close()


async def serve_tls(
    hub: Hub,
    context: Callable[[], ssl.SSLContext],
    handshaking: trio.Lock,
    stream: trio.SocketStream,
    converse: Callable[[Link], Awaitable[None]] | None = None,
) -> None:
    """One TLS connection, from its handshake to its last byte.

    `context` gives the settings that hold now; `handshaking` is one lock for all connections.
    `converse` serves the link, if that is not to be done as usual.
    """
    address, connected = peer_of(stream), detached(stream)
    with hub.crowd.admitting(origin_of(address)) as has_room:
        if not has_room or address == GONE:
            log.debug("not let in", extra={"fields": {"address": address}})
            connected.close()  # a handshake costs more than the refusal is worth
            return
        link = await secured(connected, context(), handshaking, address)
        if link is not None:
            await (serve_link(hub, link, address) if converse is None else converse(link))


async def secured(
    connected: socket.socket, context: ssl.SSLContext, handshaking: trio.Lock, address: str
) -> TlsLink | None:
    """Agree with the client on a key; if that fails, hang up."""
    try:
        link = TlsLink(connected, context)
    except OSError:  # gone since
        connected.close()
        return None
    try:
        with trio.fail_after(HANDSHAKE_S):
            await link.handshake(handshaking)
    except (OSError, trio.TooSlowError) as error:
        told = {"address": address, "error": str(error) or "too slow"}
        log.debug("no handshake", extra={"fields": told})
        link.close()
        return None
    except trio.Cancelled:
        link.close()
        raise
    return link


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


async def serve_link(hub: Hub, link: Link, address: str) -> None:
    """One connection over any link; whatever happens to it ends here."""
    try:
        await _converse(hub, link, address)
    except Exception:
        log.exception("failed", extra={"fields": {"address": address}})
    finally:
        link.close()


async def _converse(hub: Hub, link: Link, address: str) -> None:
    """Read until the client has finished; the connection ends when everything is sent."""
    async with trio.open_nursery() as nursery:
        connection = hub.connect(address, link, nursery)
        try:
            await _read(hub, connection, link)
            hub.finish(connection)
            await trio.sleep_forever()
        finally:
            hub.disconnect(connection)


async def _read(hub: Hub, connection: Connection, link: Link) -> None:
    """Hand every line to the hub, until the client or the hub has had enough."""
    lines = Lines(hub.limits.line_bytes)
    try:
        while data := await link.receive():
            for number, line in enumerate(lines.feed(data)):
                if number:
                    await trio.lowlevel.checkpoint()  # others come in between many lines at once
                if not connection.listens:
                    return
                if line.strip():
                    await hub.receive(connection, line)
    except OSError:
        connection.cut()
    except WireError as error:
        hub.refuse(connection, error)
    except Exception:
        log.exception("failed", extra={"fields": {"session": connection.number}})
        hub.dismiss(connection, "server_error")
