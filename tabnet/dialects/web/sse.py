"""Frames of the protocol as server-sent events. Pure."""

from __future__ import annotations

from tabnet.protocol import codec
from tabnet.protocol.frames import Bye, Frame, PlayerTurn, Snapshot

HEARTBEAT = b":\n\n"
"""A comment, which clients ignore."""
HEARTBEAT_S = 20
"""The time between two comments on a stream, so that no proxy takes it for dead."""


def encode_event(frame: Frame) -> bytes:
    """Encode any frame, with the number of an update or turn as the event's id."""
    number = b"id: %d\n" % frame.seq if isinstance(frame, Snapshot | PlayerTurn) else b""
    return b"%bdata: %b\n" % (number, codec.encode(frame))


def ends_stream(frame: Frame) -> bool:
    """Return True for the last frame of a stream."""
    return isinstance(frame, Bye) or (isinstance(frame, Snapshot) and frame.over)
