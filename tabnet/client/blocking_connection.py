"""One client connection on a blocking socket: connect, check the certificate, exchange lines."""

from __future__ import annotations

import select
import socket
import time
from collections import deque
from collections.abc import Callable

from tabnet.client.address import Address, Trust, make_connection_error
from tabnet.client.client_state import LONGEST_FRAME, require_greeting
from tabnet.errors import Disconnected
from tabnet.protocol.codec import decode_frame
from tabnet.protocol.line_splitter import Lines

DIAL_S = 10
"""The time limit for one attempt to connect."""
RECEIVE_BYTES = 64 * 1024
"""So few that `malloc` does not map them anew each time, with three system calls and two page
faults."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
"""The pauses between attempts to connect; each is twice the previous one."""


class BlockingConnection:
    """Sends and receives lines. Both raise an `OSError` when the connection is lost."""

    def __init__(self, address: Address, trust: Trust) -> None:
        """Connect; raises `Disconnected` with the reason for a failure."""
        self._received: deque[bytes] = deque()
        self._lines = Lines(LONGEST_FRAME)
        self._await_data: Callable[[], object] = lambda: None
        context = trust.make_tls_context(address) if address.tls else None
        try:
            self._socket = _open_socket(address)
            try:
                if context is not None:
                    tls = context.wrap_socket(self._socket, server_hostname=address.host)
                    self._socket = tls
                    trust.require_fingerprint(tls.getpeercert(binary_form=True))
                self._receive_greeting(address)
                self._socket.settimeout(None)
                if address.local_socket is not None:
                    self._await_data = _make_poll(self._socket)
            except BaseException:
                self.close()
                raise
        except OSError as error:
            raise make_connection_error(address, error) from None

    def _receive_greeting(self, address: Address) -> None:
        try:
            greeting = decode_frame(self.receive())
        except ConnectionError:
            greeting = None
        require_greeting(address, greeting)

    def send(self, line: bytes) -> None:
        self._socket.sendall(line)

    def receive(self) -> bytes:
        """Return the next line; raises `ConnectionError` if the server closed the connection."""
        while not self._received:
            self._await_data()
            data = self._socket.recv(RECEIVE_BYTES)
            if not data:
                raise ConnectionError("the server closed the connection")
            self._received.extend(self._lines.feed(data))
        return self._received.popleft()

    def close(self) -> None:
        self._socket.close()


def _open_socket(address: Address) -> socket.socket:
    if address.local_socket is not None:
        local = socket.socket(socket.AF_UNIX)
        try:
            local.settimeout(DIAL_S)
            local.connect(address.local_socket)
        except BaseException:
            local.close()
            raise
        return local
    connected = socket.create_connection((address.host, address.port), DIAL_S)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return connected


def _make_poll(local: socket.socket) -> Callable[[], object]:
    """Return a function that waits for data on a local socket.

    Linux wakes a process that waits in `recv` there also when its own last line has been read, in
    vain. It does not wake one that waits in `poll` for data.
    """
    poll = select.poll()
    poll.register(local, select.POLLIN)
    return poll.poll


def reconnect(address: Address, trust: Trust, retry_for: float) -> BlockingConnection:
    """Return a new connection; raises `Disconnected` after `retry_for` seconds."""
    pause = FIRST_PAUSE_S
    give_up_at = time.monotonic() + retry_for
    while True:
        try:
            return BlockingConnection(address, trust)
        except Disconnected as error:
            if time.monotonic() + pause > give_up_at:
                raise Disconnected(f"{error.text}; gave up") from None
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)
