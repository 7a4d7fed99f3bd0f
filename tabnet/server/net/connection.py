"""One client, as the hub sees it: frames go in, and the bytes of its dialect go out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import trio

from tabnet.protocol.frames import Frame
from tabnet.server.core.accounts import Proof
from tabnet.server.core.limits import Allowance, origin_of
from tabnet.server.net.transport import Transport

MAX_QUEUED = 8 * 1024 * 1024
"""Bytes that may wait for a client; with more, it has stopped reading."""

BATCH = 64 * 1024
"""Bytes offered to the socket in one call."""

Encoder: TypeAlias = Callable[[Frame], bytes | None]
"""Encodes a frame in a dialect; None for a frame that the dialect does not send."""


class OutgoingFrame:
    """A frame on its way to some connections, encoded once for each dialect among them."""

    __slots__ = ("_encoded", "frame")

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._encoded: dict[Encoder, bytes | None] = {}

    def encoded_by(self, encoder: Encoder) -> bytes | None:
        """Return the bytes of the frame in the dialect of `encoder`."""
        try:
            return self._encoded[encoder]
        except KeyError:
            data = self._encoded[encoder] = encoder(self.frame)
            return data


class Connection:
    """A bounded queue of bytes that `flush` sends without waiting."""

    def __init__(
        self,
        number: int,
        address: str,
        transport: Transport,
        nursery: trio.Nursery,
        allowance: Allowance,
        encoder: Encoder,
    ) -> None:
        self.number = number
        self.address = address
        self.origin = origin_of(address)
        self.allowance = allowance
        """The commands that it may send now."""
        self.heard = 0
        """The time of the last whole line, or when it last played or followed something."""
        self.has_spoken = False
        """A whole line has come."""
        self.stuck_since = math.inf
        """The time since when the client takes nothing."""
        self.proofs: dict[bytes, Proof] = {}
        """Passwords hashed before on this connection, by a fast digest of them."""
        self.listens = True
        """Commands are still served."""
        self.is_open = True
        """Frames can still be added."""
        self.encoder = encoder
        self._transport = transport
        self._nursery = nursery
        self._queue: list[bytes] = []
        self._size = 0
        self._unsent = memoryview(b"")
        self._lost = False

    def accept(self, outgoing: OutgoingFrame) -> bool:
        """Add a frame to the queue; return False if the queue has become too long."""
        data = outgoing.encoded_by(self.encoder)
        return data is None or self.put(data)

    def put(self, data: bytes) -> bool:
        """Add bytes to the queue; return False if the queue has become too long."""
        if not self.is_open:
            return True
        self._size += len(data)
        self._queue.append(data)
        return self._size <= MAX_QUEUED

    def close(self) -> None:
        """Accept nothing more, and hang up when everything is sent."""
        self.is_open = False

    def cut(self) -> None:
        """Hang up at once, whatever is still to be sent."""
        self.listens = self.is_open = False
        self._nursery.cancel_scope.cancel()

    def flush(self) -> bool:
        """Send as much of the queue as the socket takes; return False if `settle` must follow."""
        if self._unsent:
            return True  # the task that empties it is at work
        try:
            return self._send_queue() and self.is_open
        except OSError:
            self._lost = True
            return False

    def settle(self) -> None:
        """Finish what `flush` began: send the rest when the socket takes it, or hang up."""
        if self._lost or not self._unsent:
            self.cut()
        else:
            self.stuck_since = trio.current_time()
            self._nursery.start_soon(self._drain)

    async def _drain(self) -> None:
        done = False
        try:
            while not done:
                await self._transport.wait_writable()
                before = self._size
                done = self._send_queue()
                if self._size < before:
                    self.stuck_since = trio.current_time()
        except OSError:
            self._lost = True
        self.stuck_since = math.inf
        if self._lost or not self.is_open:
            self.cut()

    def _send_queue(self) -> bool:
        """Send as much as the socket takes now; return True if that was everything."""
        while self._unsent or self._queue:
            if not self._unsent:
                self._unsent = memoryview(self._next_batch())
            sent = self._transport.send(self._unsent)
            if not sent:
                return False
            self._size -= sent
            self._unsent = self._unsent[sent:]
        return True

    def _next_batch(self) -> bytes:
        if self._size <= BATCH:
            batch = b"".join(self._queue)
            self._queue.clear()
            return batch
        pieces, size = 0, 0
        while size < BATCH and pieces < len(self._queue):
            size += len(self._queue[pieces])
            pieces += 1
        batch = b"".join(self._queue[:pieces])
        del self._queue[:pieces]
        return batch
