"""Sockets that never block, plain or TLS: receive, send, wait until writable, close.

Sending does not wait and needs no task, which makes sending to many followers cheap. trio's streams
cannot do that, so transports use the sockets of the standard library, and trio for waiting.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from typing import Protocol

import trio

from tabnet.server.net import shared_reader
from tabnet.server.net.shared_reader import RECEIVE_BYTES, Take, get_shared_reader

MAX_MISSES = 8
TRY_AGAIN_AFTER = 256

NOT_NOW = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Transport(Protocol):
    """The bytes of a connection. All methods but `close` may raise `OSError`."""

    async def receive(self, take: Take | None = None) -> bytes:
        """Return the next bytes that `take` leaves, empty at the end. It is always a checkpoint."""
        ...

    def send(self, data: bytes | memoryview) -> int:
        """Send what can be sent at once; return the number of bytes.

        The next call must begin with the bytes that were not sent.
        """
        ...

    async def wait_writable(self) -> None:
        """Wait until more can be sent."""
        ...

    def close(self) -> None:
        """Close the connection; TLS says goodbye if that is possible at once."""
        ...


class SocketTransport:
    """A connected TCP socket."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._misses = 0
        """How often in succession nothing had arrived yet."""
        connected.setblocking(False)

    async def receive(self, take: Take | None = None) -> bytes:
        while take is not None and shared_reader.IS_AVAILABLE:
            try:
                return await get_shared_reader().receive(self._socket, take)
            except ssl.SSLWantWriteError:  # TLS has to send a message of its own first
                await self.wait_writable()
        data = await self._receive()
        while data and take is not None and take(data):
            data = await self._receive()
        return data

    async def _receive(self) -> bytes:
        """Return the next bytes; none at the end of the stream.

        A busy client has often sent more by now, and then there is nothing to wait for. A client
        that was waited for `MAX_MISSES` times is waited for at once, except now and then.
        """
        if self._misses < MAX_MISSES:
            await trio.lowlevel.checkpoint()
            try:
                data = self._socket.recv(RECEIVE_BYTES)
            except BlockingIOError:
                self._misses += 1
            else:
                self._misses = 0
                return data
        else:
            self._misses = (self._misses + 1) % TRY_AGAIN_AFTER
        await trio.lowlevel.wait_readable(self._socket)
        return self._socket.recv(RECEIVE_BYTES)

    def send(self, data: bytes | memoryview) -> int:
        try:
            return self._socket.send(data)
        except NOT_NOW:
            return 0

    async def wait_writable(self) -> None:
        await trio.lowlevel.wait_writable(self._socket)

    def close(self) -> None:
        trio.lowlevel.notify_closing(self._socket)
        self._socket.close()


class TlsTransport(SocketTransport):
    """A connected TCP socket with TLS."""

    def __init__(self, connected: socket.socket, context: ssl.SSLContext) -> None:
        self._tls = context.wrap_socket(connected, server_side=True, do_handshake_on_connect=False)
        super().__init__(self._tls)

    async def handshake(self, turn: trio.Lock) -> None:
        """Perform the TLS handshake; raise `OSError` if the client does not use TLS.

        A step is long work. With the lock `turn`, tasks of games run between any two steps of any
        clients.
        """
        await trio.lowlevel.wait_readable(self._tls)
        while True:
            try:
                async with turn:
                    return self._tls.do_handshake()
            except ssl.SSLWantReadError:
                await trio.lowlevel.wait_readable(self._tls)
            except ssl.SSLWantWriteError:
                await trio.lowlevel.wait_writable(self._tls)

    async def _receive(self) -> bytes:
        while True:
            await trio.lowlevel.wait_readable(self._tls)
            try:
                return self._tls.recv(RECEIVE_BYTES)
            except ssl.SSLWantReadError:
                continue  # a part of a record, or a message of TLS itself
            except ssl.SSLWantWriteError:
                await self.wait_writable()

    def close(self) -> None:
        """Say TLS's goodbye, without waiting for the client's, and close the socket."""
        with suppress(OSError, ValueError):  # not now, or the client is gone
            self._tls.unwrap()
        super().close()
