"""One connection of a client on trio: dialled, trusted, greeted; frames in and lines out."""

from __future__ import annotations

import socket
import ssl
from collections import deque

import trio
from trio.abc import Stream

from tabnet.client.address import Address, Trust, why_not
from tabnet.client.client_state import require_greeting
from tabnet.errors import Disconnected
from tabnet.protocol import codec
from tabnet.protocol.frames import Frame
from tabnet.protocol.lines import Lines

DIAL_S = 10
"""How long one attempt to connect may take."""
LONGEST_FRAME = 16 * 1024 * 1024
RECEIVE_BYTES = 64 * 1024

LOST = (trio.BrokenResourceError, trio.ClosedResourceError)


async def dial(address: Address, trust: Trust) -> FrameStream:
    """A new connection; raises `Disconnected` with the reason if there is none to be had."""
    context = trust.context(address) if address.tls else None
    try:
        with trio.fail_after(DIAL_S):
            wire = FrameStream(await _open(address, trust, context))
            try:
                require_greeting(address, await wire.receive())
            except BaseException:
                await wire.close()  # noqa: ASYNC102 - it is shielded, and ends by itself
                raise
            return wire
    except (OSError, trio.BrokenResourceError) as error:
        raise why_not(address, error) from None
    except trio.TooSlowError:
        raise Disconnected(f"{address} does not answer") from None


async def _open(address: Address, trust: Trust, context: ssl.SSLContext | None) -> Stream:
    tcp = await trio.open_tcp_stream(address.host, address.port)
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if context is None:
        return tcp
    tls = trio.SSLStream(tcp, context, server_hostname=address.host)
    try:
        await tls.do_handshake()
        trust.check(tls.getpeercert(binary_form=True))
    except BaseException:
        await trio.aclose_forcefully(tcp)
        raise
    return tls


class FrameStream:
    """Frames in and lines out; both end quietly when the connection does."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._sending = trio.Lock()
        self._lines = Lines(LONGEST_FRAME)
        self._came: deque[bytes] = deque()

    async def send(self, line: bytes) -> None:
        """Send a line; that the connection is lost is told by `receive`."""
        async with self._sending:
            try:
                await self._stream.send_all(line)
            except LOST:
                await trio.aclose_forcefully(self._stream)

    async def receive(self) -> Frame | None:
        """The next frame; None when the connection is lost."""
        while not self._came:
            try:
                data = await self._stream.receive_some(RECEIVE_BYTES)
            except LOST:
                return None
            if not data:
                return None
            self._came.extend(self._lines.feed(data))
        return codec.decode_frame(self._came.popleft())

    async def close(self) -> None:
        """Hang up, politely if that is quick."""
        with trio.move_on_after(1) as scope:
            scope.shield = True
            try:
                await self._stream.aclose()
            except LOST:
                return
