"""Sockets: TLS and plain TCP, one connection at a time handed to the hub.

Whatever a client does to its connection, no exception leaves it: the others go on.
"""

from __future__ import annotations

import errno
import logging
import math
import ssl
from contextlib import suppress

import trio
from trio.abc import Stream

from tabnet.errors import StartError, WireError
from tabnet.protocol.lines import Lines
from tabnet.server.hub import Connection, Hub

log = logging.getLogger("tabnet")

HANDSHAKE_S = 10
"""How long a client may take for the TLS handshake."""
CLOSE_S = 1
"""How long closing a connection politely may take."""
RECEIVE_BYTES = 16 * 1024

GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


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
    await serve_stream(hub, stream, _peer(stream))


async def serve_tls(hub: Hub, context: ssl.SSLContext, stream: trio.SocketStream) -> None:
    """One TLS connection, from its handshake to its last byte."""
    address = _peer(stream)
    tls = trio.SSLStream(stream, context, server_side=True)
    try:
        with trio.fail_after(HANDSHAKE_S):
            await tls.do_handshake()
    except (*GONE, trio.TooSlowError) as error:
        told = {"address": address, "error": str(error.__cause__ or "too slow")}
        log.debug("no handshake", extra={"fields": told})
        await trio.aclose_forcefully(stream)
        return
    await serve_stream(hub, tls, address)


def _peer(stream: trio.SocketStream) -> str:
    try:
        return _text(stream.socket.getpeername())
    except OSError:  # already gone
        return "unknown"


async def serve_stream(hub: Hub, stream: Stream, address: str) -> None:
    """One connection over any stream; whatever happens to it ends here."""
    try:
        await _converse(hub, stream, address)
        with trio.move_on_after(CLOSE_S), suppress(*GONE):
            await stream.aclose()
    except Exception:
        log.exception("failed", extra={"fields": {"address": address}})
        await trio.aclose_forcefully(stream)


async def _converse(hub: Hub, stream: Stream, address: str) -> None:
    """Read until the client has finished, write until the outbox is closed and empty."""
    async with trio.open_nursery() as nursery:
        connection = hub.connect(address, nursery.cancel_scope.cancel)
        try:
            nursery.start_soon(_write, connection, stream)
            await _read(hub, connection, stream)
            connection.outbox.close()
            await trio.sleep_forever()  # the writer ends the connection when everything is out
        finally:
            hub.disconnect(connection)


async def _read(hub: Hub, connection: Connection, stream: Stream) -> None:
    """Hand every line to the hub, until the client or the hub has had enough."""
    lines = Lines()
    try:
        while connection.is_open():
            data = await stream.receive_some(RECEIVE_BYTES)
            if not data:
                return
            for number, line in enumerate(lines.feed(data)):
                if number:
                    await trio.lowlevel.checkpoint()  # others come in between many lines at once
                if line.strip():
                    await hub.receive(connection, line)
                if not connection.is_open():
                    return
    except GONE:
        connection.cut()
    except WireError as error:
        hub.refuse(connection, error)
    except Exception:
        log.exception("failed", extra={"fields": {"session": connection.number}})
        hub.dismiss(connection, "server_error")


async def _write(connection: Connection, stream: Stream) -> None:
    """Send what the outbox holds; when it is closed and empty, the connection is over."""
    try:
        while data := await connection.outbox.take():
            connection.sending_since = trio.current_time()
            await stream.send_all(data)
            connection.sending_since = math.inf
    except GONE:
        log.debug("reader gone", extra={"fields": {"session": connection.number}})
    connection.cut()
