"""One connection of a client on a blocking socket: dialled, trusted, greeted; bytes in and out."""

from __future__ import annotations

import socket
import ssl
import time
from collections import deque

from tabnet.client.address import Address, Trust, why_not
from tabnet.client.client_state import require_greeting
from tabnet.errors import Disconnected
from tabnet.protocol.codec import decode_frame

DIAL_S = 10
"""How long one attempt to connect may take."""
RECEIVE_BYTES = 256 * 1024
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
"""Between attempts to connect, each twice the last: a server that starts is not to be stormed."""


class BlockingSocket:
    """Lines in and out. Both raise an `OSError` when the connection is lost."""

    def __init__(self, address: Address, trust: Trust) -> None:
        """Connect; raises `Disconnected` with the reason if that is not to be."""
        self._came: deque[bytes] = deque()
        self._parts: list[bytes] = []
        context = trust.context(address) if address.tls else None
        try:
            self._socket = socket.create_connection((address.host, address.port), DIAL_S)
            try:
                self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                if context is not None:
                    self._secure(context, address, trust)
                self._be_greeted(address)
                self._socket.settimeout(None)
            except BaseException:
                self.close()
                raise
        except OSError as error:
            raise why_not(address, error) from None

    def _secure(self, context: ssl.SSLContext, address: Address, trust: Trust) -> None:
        tls = context.wrap_socket(self._socket, server_hostname=address.host)
        self._socket = tls
        trust.check(tls.getpeercert(binary_form=True))

    def _be_greeted(self, address: Address) -> None:
        try:
            greeting = decode_frame(self.receive())
        except ConnectionError:
            greeting = None
        require_greeting(address, greeting)

    def send(self, line: bytes) -> None:
        """Send all of it."""
        self._socket.sendall(line)

    def receive(self) -> bytes:
        """The next line; raises `ConnectionError` when the server has hung up."""
        while not self._came:
            data = self._socket.recv(RECEIVE_BYTES)
            if not data:
                raise ConnectionError("the server has closed the connection")
            self._cut(data)
        return self._came.popleft()

    def _cut(self, data: bytes) -> None:
        """Each byte is looked at once, however small the pieces it comes in."""
        if b"\n" not in data:
            self._parts.append(data)
            return
        if self._parts:
            data = b"".join((*self._parts, data))
            self._parts.clear()
        lines = data.split(b"\n")
        if lines[-1]:
            self._parts.append(lines[-1])
        del lines[-1]
        self._came.extend(lines)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def dial_again(address: Address, trust: Trust, retry_for: float) -> BlockingSocket:
    """A new connection after one was lost; raises `Disconnected` after so many seconds."""
    pause = FIRST_PAUSE_S
    give_up_at = time.monotonic() + retry_for
    while True:
        try:
            return BlockingSocket(address, trust)
        except Disconnected as error:
            if time.monotonic() + pause > give_up_at:
                raise Disconnected(f"{error.text}; gave up") from None
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)
