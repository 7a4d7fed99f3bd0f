"""One client connection on trio: connect, check the certificate, exchange frames."""

from __future__ import annotations

import socket
import ssl
from collections import deque

import trio
from trio.abc import Stream

from tabnet.client.address import Address, Trust, make_connection_error
from tabnet.client.client_state import LONGEST_FRAME, require_greeting
from tabnet.errors import Disconnected
from tabnet.protocol import codec
from tabnet.protocol.frames import Frame
from tabnet.protocol.line_splitter import Lines

DIAL_S = 10
"""The time limit for one attempt to connect."""
RECEIVE_BYTES = 64 * 1024

LOST = (trio.BrokenResourceError, trio.ClosedResourceError)


async def open_connection(address: Address, trust: Trust) -> TrioConnection:
    """Connect to a server; raises `Disconnected` with the reason for a failure."""
    context = trust.make_tls_context(address) if address.tls else None
    try:
        with trio.fail_after(DIAL_S):
            wire = TrioConnection(await _open_stream(address, trust, context))
            try:
                require_greeting(address, await wire.receive())
            except BaseException:
                await wire.close()  # noqa: ASYNC102 - it is shielded, and ends by itself
                raise
            return wire
    except (OSError, trio.BrokenResourceError) as error:
        raise make_connection_error(address, error) from None
    except trio.TooSlowError:
        raise Disconnected(f"{address} does not answer") from None


async def _open_stream(address: Address, trust: Trust, context: ssl.SSLContext | None) -> Stream:
    tcp = await trio.open_tcp_stream(address.host, address.port)
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if context is None:
        return tcp
    tls = trio.SSLStream(tcp, context, server_hostname=address.host)
    try:
        await tls.do_handshake()
        trust.require_fingerprint(tls.getpeercert(binary_form=True))
    except BaseException:
        await trio.aclose_forcefully(tcp)
        raise
    return tls


class TrioConnection:
    """Sends lines and receives frames; neither raises when the connection is lost."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._sending = trio.Lock()
        self._lines = Lines(LONGEST_FRAME)
        self._received: deque[bytes] = deque()

    async def send(self, line: bytes) -> None:
        """Send a line; `receive` reports a lost connection."""
        async with self._sending:
            try:
                await self._stream.send_all(line)
            except LOST:
                await trio.aclose_forcefully(self._stream)

    async def receive(self) -> Frame | None:
        """Return the next frame, or None when the connection is lost."""
        while not self._received:
            try:
                data = await self._stream.receive_some(RECEIVE_BYTES)
            except LOST:
                return None
            if not data:
                return None
            self._received.extend(self._lines.feed(data))
        return codec.decode_frame(self._received.popleft())

    async def close(self) -> None:
        """Close the connection, with a TLS close within a second."""
        with trio.move_on_after(1) as scope:
            scope.shield = True
            try:
                await self._stream.aclose()
            except LOST:
                return
