"""An operator's order: given to the server of a data folder, or carried out without one."""

from __future__ import annotations

import secrets
from pathlib import Path

import trio

from tabnet.errors import BrokenHistory, StartError
from tabnet.server.database import is_served, require_database
from tabnet.server.effects import Record
from tabnet.server.messenger import give
from tabnet.server.orders import obey
from tabnet.server.records import JSON
from tabnet.server.revival import restore
from tabnet.server.service import Service
from tabnet.server.store import Store, open_store

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
        service = await revived(store, folder, 0)
        answer, effects = obey(service, order, 0)
        await store.commit([effect.row for effect in effects if isinstance(effect, Record)])
    return answer


async def revived(store: Store, folder: Path, now: int) -> Service:
    """The service that goes on where the last one on the same folder ended."""
    service = Service(secrets.token_bytes)
    try:
        restore(service, await store.load(), now)
    except BrokenHistory as error:
        text = f"what is kept in {folder} is damaged: {error.text}"
        raise StartError(text, hint="put a backup in its place") from None
    return service
