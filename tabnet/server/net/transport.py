"""A socket that never blocks, plain or TLS, behind three words: receive, send, wait_writable.

Sending does not wait and needs no task of its own: that is what makes pushing to many followers
cheap. trio's streams cannot do that, so this stands on the sockets of the standard library, and on
trio for the waiting.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from typing import Protocol

import trio

RECEIVE_BYTES = 16 * 1024
"""A whole record of TLS: nothing stays inside TLS, where no waiting for the socket would end."""

NOT_NOW = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Transport(Protocol):
    """What a connection needs of its transport. All but `close` may raise `OSError`."""

    async def receive(self) -> bytes:
        """What has come; empty at the end. Others run before it returns."""
        ...

    def send(self, data: bytes | memoryview) -> int:
        """Send what can be sent at once, and tell how much that was.

        What was not sent has to be offered again, the same bytes first.
        """
        ...

    async def wait_writable(self) -> None:
        """Wait until more can be sent."""
        ...

    def close(self) -> None:
        """Hang up, with a goodbye if it can be said at once."""
        ...


class SocketTransport:
    """A connected TCP socket."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        connected.setblocking(False)

    async def receive(self) -> bytes:
        """What has come; empty at the end."""
        await trio.lowlevel.checkpoint()
        try:  # a busy client has sent more meanwhile: then there is nothing to wait for
            return self._socket.recv(RECEIVE_BYTES)
        except BlockingIOError:
            await trio.lowlevel.wait_readable(self._socket)
            return self._socket.recv(RECEIVE_BYTES)

    def send(self, data: bytes | memoryview) -> int:
        """Send what can be sent at once."""
        try:
            return self._socket.send(data)
        except NOT_NOW:
            return 0

    async def wait_writable(self) -> None:
        """Wait until more can be sent."""
        await trio.lowlevel.wait_writable(self._socket)

    def close(self) -> None:
        """Hang up."""
        trio.lowlevel.notify_closing(self._socket)
        self._socket.close()


class TlsTransport(SocketTransport):
    """A connected TCP socket that speaks TLS from its first byte on."""

    def __init__(self, connected: socket.socket, context: ssl.SSLContext) -> None:
        self._tls = context.wrap_socket(connected, server_side=True, do_handshake_on_connect=False)
        super().__init__(self._tls)

    async def handshake(self, turn: trio.Lock) -> None:
        """Agree with the client on a key; raises `OSError` if it does not speak TLS.

        A step of it is long work, and whoever has had the `turn` gives it to a task that runs only
        when all others have run: so the games wait for one step at a time, however many come.
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

    async def receive(self) -> bytes:
        """What has come; empty at the end."""
        while True:
            await trio.lowlevel.wait_readable(self._tls)
            try:
                return self._tls.recv(RECEIVE_BYTES)
            except ssl.SSLWantReadError:
                continue  # a part of a record, or a word of TLS to itself
            except ssl.SSLWantWriteError:
                await trio.lowlevel.wait_writable(self._tls)

    def close(self) -> None:
        """Hang up with TLS's goodbye, without waiting for the client's."""
        with suppress(OSError, ValueError):  # it cannot be said now, or to nobody
            self._tls.unwrap()
        super().close()
