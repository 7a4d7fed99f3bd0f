"""Frames of the protocol as server-sent events, made once for all streams. Pure."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import orjson
from attrs import frozen

KEPT = 64
"""How many events are remembered: a frame goes to all its followers in one go."""

SEED_FIELDS = (
    *("pieces", "initial", "turn", "step", "players", "dice", "mustPass"),
    *("cell", "selected", "winner"),
)
"""What the original API has in its updates."""
HEARTBEAT = b":\n\n"
"""A comment, which no client looks at."""


@frozen
class Event:
    """What goes into a stream; after the `last` one it ends."""

    data: bytes
    last: bool = False


Maker: TypeAlias = Callable[[bytes], Event | None]


@lru_cache(KEPT)
def native_event(line: bytes) -> Event:
    """Any frame that is pushed, with the number of an update as the event's id."""
    frame: dict[str, Any] = orjson.loads(line)
    number = b"id: %d\n" % frame["seq"] if frame["type"] == "update" else b""
    over = "winner" in frame or frame["type"] == "bye"
    return Event(b"%bdata: %b\n" % (number, line), last=over)


@lru_cache(KEPT)
def seed_event(line: bytes) -> Event | None:
    """An update with the fields of the original API alone; it tells nothing else."""
    frame: dict[str, Any] = orjson.loads(line)
    if frame["type"] != "update":
        return None
    told = {name: frame[name] for name in SEED_FIELDS if name in frame}
    data = b"id: %d\ndata: %b\n\n" % (frame["seq"], orjson.dumps(told))
    return Event(data, last="winner" in frame)
