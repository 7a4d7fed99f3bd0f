"""Delivers frames to connections, and sends their queues when received commands have been executed.

The server never waits for a connection: one whose queue grows too long is disconnected.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import trio

from tabnet.protocol.frames import Frame
from tabnet.server.net.connection import Connection, OutgoingFrame
from tabnet.server.net.pending_history import PendingHistory
from tabnet.server.net.shared_reader import calling_after_reading

log = logging.getLogger("tabnet")

Delivery: TypeAlias = tuple[tuple[int, ...], Frame | PendingHistory | None]
"""The numbers of connections, and what they are sent; None closes them after that."""


class Outbox(trio.abc.Instrument):
    """The connections, and those of them that have something to send.

    It sends everything that is queued when the shared reader has read sockets. It is an instrument
    of trio too: trio calls instruments when all tasks have run and it is about to wait.
    """

    def __init__(self) -> None:
        self.connections: dict[int, Connection] = {}
        """The open connections, by number."""
        self._touched: dict[Connection, None] = {}
        self._token = trio.lowlevel.current_trio_token()

    @contextmanager
    def active(self) -> Iterator[None]:
        """Send what is queued while the block runs."""
        trio.lowlevel.add_instrument(self)
        try:
            with calling_after_reading(self.flush):
                yield
        finally:
            trio.lowlevel.remove_instrument(self)

    def remove(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        del self.connections[connection.number]
        self._touched.pop(connection, None)

    def touch(self, connection: Connection) -> None:
        """Note that a connection has queued something by itself."""
        self._touched[connection] = None

    def deliver(self, delivery: Delivery) -> None:
        """Queue a frame at connections; those that have ended are skipped."""
        to, content = delivery
        frame = OutgoingFrame(content) if isinstance(content, Frame) else None
        for number in to:
            connection = self.connections.get(number)
            if connection is None:
                continue
            self._touched[connection] = None
            try:
                if frame is not None:
                    if not connection.accept(frame):
                        self.cut_slow(connection)
                elif isinstance(content, PendingHistory):
                    connection.send_history(content)
                else:
                    connection.close()
            except Exception:  # a failing dialect must not affect other connections
                log.exception("failed", extra={"fields": {"session": number}})
                connection.cut()

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio's name
        """Send everything. No task may be started here: trio has computed its timeout already."""
        self.flush()

    def flush(self) -> bool:
        """Send everything that connections have queued; return False if there was nothing."""
        if not self._touched:
            return False
        touched, self._touched = self._touched, {}
        for connection in touched:
            try:
                done = connection.flush()
            except Exception:  # a failing connection must not affect others
                log.exception("failed", extra={"fields": {"session": connection.number}})
                self._token.run_sync_soon(connection.cut)
            else:
                if not done:
                    self._token.run_sync_soon(self._settle, connection)
        return True

    def _settle(self, connection: Connection) -> None:
        if connection.number in self.connections:
            connection.settle()

    def cut_slow(self, connection: Connection) -> None:
        """Disconnect a client that does not read."""
        fields = {"session": connection.number, "address": connection.address}
        log.info("too slow", extra={"fields": fields})
        connection.cut()
