"""Frames of the protocol as server-sent events. Pure."""

from __future__ import annotations

import orjson

from tabnet.protocol import codec
from tabnet.protocol.frames import Bye, Frame, Snapshot

TAB_FIELDS = (
    *("pieces", "initial", "turn", "step", "players", "dice", "mustPass"),
    *("cell", "selected", "winner"),
)
"""The fields of an update in the original API."""
HEARTBEAT = b":\n\n"
"""A comment, which clients ignore."""


def native_event(frame: Frame) -> bytes:
    """Encode any frame, with the number of an update as the event's id."""
    number = b"id: %d\n" % frame.seq if isinstance(frame, Snapshot) else b""
    return b"%bdata: %b\n" % (number, codec.encode(frame))


def tab_event(frame: Frame) -> bytes | None:
    """Encode an update with the fields of the original API alone; other frames are not sent."""
    if not isinstance(frame, Snapshot):
        return None
    position = frame.position
    fields = {name: position[name] for name in TAB_FIELDS if name in position}
    return b"id: %d\ndata: %b\n\n" % (frame.seq, orjson.dumps(fields))


def ends_stream(frame: Frame) -> bool:
    """Return True for the last frame of a stream."""
    return isinstance(frame, Bye) or (isinstance(frame, Snapshot) and frame.over)
