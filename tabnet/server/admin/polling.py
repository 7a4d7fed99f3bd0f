"""Requests of the operator to a running server: looked for in its database, and answered there."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import trio

from tabnet.server.admin.requests import execute
from tabnet.server.core.effects import Effect, Record
from tabnet.server.core.rows import Answered
from tabnet.server.core.service import Service
from tabnet.server.storage.store import Store

POLL_S = 0.3
"""How often to look."""


async def poll_requests(
    store: Store,
    service: Service,
    perform: Callable[[Iterable[Effect]], None],
    now: Callable[[], int],
) -> None:
    """Execute the requests of the operator, until cancelled."""
    while True:
        await trio.sleep(POLL_S)
        for number, request in await store.orders():
            answer, effects = execute(service, request, now())
            perform([*effects, Record(Answered(number, answer))])
