"""What has to be done in a server now and then, whatever its clients do."""

from __future__ import annotations

import trio

from tabnet.server.connection import Connection
from tabnet.server.effects import Record
from tabnet.server.hub import Hub, now
from tabnet.server.orders import obey
from tabnet.server.records import Answered

FIRST_LINE_S = 60
"""How long a client may take to its first whole line, if it plays and follows nothing."""
IDLE_S = 300
"""How long a connection that plays and follows nothing may send no whole line."""
STUCK_S = 30
"""How long a client may take nothing before it counts as gone."""
ROUND_S = 5
"""How often silent and stuck connections are looked for."""
ORDERS_S = 0.3
"""How often the operator's orders are looked for."""


async def keep_house(hub: Hub) -> None:
    """Close connections that are silent without a reason, or that do not take what is sent."""
    while True:
        await trio.sleep(ROUND_S)
        moment = now()
        for connection in list(hub.post.connections.values()):
            if trio.current_time() - connection.stuck_since > STUCK_S:
                hub.post.cut_slow(connection)
            elif not _is_idle(hub, connection):
                connection.heard = moment
            elif moment - connection.heard > 1000 * _patience_s(connection):
                hub.dismiss(connection, "idle")


def _is_idle(hub: Hub, connection: Connection) -> bool:
    session = hub.service.sessions[connection.number]
    waits = hub.service.opponents.is_asking(session.nick)
    return not (session.follows or session.seats or waits) and connection.is_open


def _patience_s(connection: Connection) -> int:
    return IDLE_S if connection.has_spoken else FIRST_LINE_S


async def keep_orders(hub: Hub) -> None:
    """Do what the operator orders."""
    while hub.store is not None:
        await trio.sleep(ORDERS_S)
        for number, order in await hub.store.orders():
            answer, effects = obey(hub.service, order, now())
            hub.perform([*effects, Record(Answered(number, answer))])
