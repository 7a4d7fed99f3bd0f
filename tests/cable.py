"""A way to a port on this machine that can be cut and mended."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from tests.polling import TIMEOUT_S


class Cable:
    """A way to a server's port that can be cut and mended."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept, args=(self._listener,))]

    def __enter__(self) -> Cable:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        for thread in self._threads:
            thread.join(TIMEOUT_S)

    def cut(self) -> None:
        """End every connection, and take no new one."""
        for end in [self._listener, *self._ends]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        """Take connections again."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._start(self._accept, self._listener)

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                self._ends.append(end := listener.accept()[0])
                try:
                    other = socket.create_connection(("127.0.0.1", self._to))
                except ConnectionRefusedError:
                    end.close()
                    continue
                self._ends.append(other)
                self._start(self._carry, end, other)
                self._start(self._carry, other, end)

    def _start(self, work: Callable[..., None], *sockets: socket.socket) -> None:
        self._threads.append(threading.Thread(target=work, args=sockets))
        self._threads[-1].start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_WR)
