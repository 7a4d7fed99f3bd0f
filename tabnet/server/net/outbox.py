"""Gets lines to connections: all that waits is sent when no task has anything left to do.

Nobody is ever waited for: who has let too much wait is disconnected.
"""

from __future__ import annotations

import logging
from typing import TypeAlias

import trio

from tabnet.server.net.connection import Connection

log = logging.getLogger("tabnet")

Delivery: TypeAlias = tuple[tuple[int, ...], bytes | None]
"""To whom, and a line; or None, to hang up when everything is out."""


class Outbox(trio.abc.Instrument):
    """The connections, and those of them that have something to send.

    It is one of trio's instruments, to be told when all tasks have run and nothing is left but to
    wait: that is when everything is sent that they have put into connections.
    """

    def __init__(self) -> None:
        self.connections: dict[int, Connection] = {}
        """Those that are there, by number."""
        self._touched: dict[Connection, None] = {}
        self._token = trio.lowlevel.current_trio_token()

    def drop(self, connection: Connection) -> None:
        """The client is gone."""
        del self.connections[connection.number]
        self._touched.pop(connection, None)

    def touch(self, connection: Connection) -> None:
        """It was given something to send, by itself."""
        self._touched[connection] = None

    def deliver(self, delivery: Delivery) -> None:
        """Put a line into connections; who is gone gets none."""
        to, line = delivery
        for number in to:
            connection = self.connections.get(number)
            if connection is None:
                continue
            self._touched[connection] = None
            if line is None:
                connection.close()
            elif not connection.put(line):
                self.cut_slow(connection)

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio's name
        """All tasks have run. Nothing may be started from here: trio has set its alarm already."""
        self.flush()

    def flush(self) -> None:
        """Send what was put into connections since the last time."""
        if not self._touched:
            return
        touched, self._touched = self._touched, {}
        for connection in touched:
            try:
                done = connection.flush()
            except Exception:  # it would cost every connection its sending
                log.exception("failed", extra={"fields": {"session": connection.number}})
                self._token.run_sync_soon(connection.cut)
            else:
                if not done:
                    self._token.run_sync_soon(self._settle, connection)

    def _settle(self, connection: Connection) -> None:
        if connection.number in self.connections:
            connection.settle()

    def cut_slow(self, connection: Connection) -> None:
        """Disconnect who does not read."""
        told = {"session": connection.number, "address": connection.address}
        log.info("too slow", extra={"fields": told})
        connection.cut()
