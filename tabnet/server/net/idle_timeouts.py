"""Disconnects clients that are idle, or that read nothing."""

from __future__ import annotations

import trio

from tabnet.server.net.connection import Connection
from tabnet.server.net.hub import Hub
from tabnet.server.net.server_clock import now

FIRST_LINE_S = 60
"""The time that a client may take for its first whole line, if it plays and follows nothing."""
IDLE_S = 300
"""The time without a whole line after which a client is idle, if it plays and follows nothing."""
STUCK_S = 30
"""The time after which a client that reads nothing is disconnected."""
CHECK_S = 5
"""The time between two checks of all connections."""


async def disconnect_idle(hub: Hub) -> None:
    """Disconnect idle and stuck clients, until cancelled."""
    while True:
        await trio.sleep(CHECK_S)
        moment = now()
        for connection in list(hub.outbox.connections.values()):
            if trio.current_time() - connection.stuck_since > STUCK_S:
                hub.outbox.cut_slow(connection)
            elif not _is_idle(hub, connection):
                connection.active_at = moment
            elif moment - connection.active_at > 1000 * _timeout_s(connection):
                hub.dismiss(connection, "idle")


def _is_idle(hub: Hub, connection: Connection) -> bool:
    session = hub.service.sessions[connection.number]
    waits = hub.service.opponents.is_waiting(session.nick)
    is_busy = session.follows or session.seats or waits or connection.has_history
    return connection.is_open and not is_busy


def _timeout_s(connection: Connection) -> int:
    return IDLE_S if connection.has_sent_line else FIRST_LINE_S
