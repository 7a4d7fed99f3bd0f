"""An operator's order: given to the server of a data folder, or carried out without one."""

from __future__ import annotations

from pathlib import Path

import trio

from tabnet.errors import StartError
from tabnet.server.admin.messenger import give
from tabnet.server.admin.requests import execute
from tabnet.server.core.effects import Record
from tabnet.server.core.rows import JSON
from tabnet.server.storage.database import is_served, require_database
from tabnet.server.storage.store import open_store, restored

ANSWER_S = 10
"""How long a running server may take to answer."""


def carry_out(folder: Path, order: JSON) -> str:
    """Have an order carried out; what was done comes back, or a `StartError` says why not."""
    answer = give(folder, order, ANSWER_S) if is_served(folder) else trio.run(_alone, folder, order)
    if "error" in answer:
        raise StartError(answer["error"])
    done: str = answer["done"]
    return done


async def _alone(folder: Path, order: JSON) -> JSON:
    require_database(folder)
    async with open_store(folder) as store:
        service = await restored(store, folder, lambda: 0)
        answer, effects = execute(service, order, 0)
        await store.commit([effect.row for effect in effects if isinstance(effect, Record)])
    return answer
