"""One client, as the hub sees it: what waits to be sent to it, and how it gets out."""

from __future__ import annotations

import math

import trio

from tabnet.server.core.accounts import Proof
from tabnet.server.core.limits import Allowance, origin_of
from tabnet.server.net.transport import Transport

MAX_WAITING = 8 * 1024 * 1024
"""Above this a reader has stopped reading: a whole long game fits, sent again from its start."""

BATCH = 64 * 1024
"""How much is offered to the socket in one go."""


class Connection:
    """Lines are put into it without waiting, and sent together by `flush`."""

    def __init__(
        self,
        number: int,
        address: str,
        transport: Transport,
        nursery: trio.Nursery,
        allowance: Allowance,
    ) -> None:
        self.number = number
        self.address = address
        self.origin = origin_of(address)
        self.allowance = allowance
        """The commands it may send now."""
        self.heard = 0
        """When the last whole line came, or it last played or followed something."""
        self.has_spoken = False
        """A whole line has come."""
        self.stuck_since = math.inf
        """Since when the client takes nothing."""
        self.proofs: dict[bytes, Proof] = {}
        """Passwords hashed before on this connection, by a fast digest of them."""
        self.listens = True
        """Commands are still served."""
        self.is_open = True
        """Lines can still be put into it."""
        self._transport = transport
        self._nursery = nursery
        self._waiting: list[bytes] = []
        self._size = 0
        self._unsent = memoryview(b"")
        self._lost = False

    def put(self, line: bytes) -> bool:
        """Add a line; False when there is no room: the reader is too slow to be served."""
        if not self.is_open:
            return True
        self._size += len(line)
        self._waiting.append(line)
        return self._size <= MAX_WAITING

    def close(self) -> None:
        """Take nothing more, and hang up when everything is out."""
        self.is_open = False

    def cut(self) -> None:
        """Hang up at once, whatever is still to be sent."""
        self.listens = self.is_open = False
        self._nursery.cancel_scope.cancel()

    def flush(self) -> bool:
        """Send what waits, as far as it goes out now; False if `settle` has to be called then."""
        if self._unsent:
            return True  # the task that empties it is at work
        try:
            return self._send_waiting() and self.is_open
        except OSError:
            self._lost = True
            return False

    def settle(self) -> None:
        """Do what is left to do after a flush: send the rest when it can be sent, or hang up."""
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
                done = self._send_waiting()
                if self._size < before:
                    self.stuck_since = trio.current_time()
        except OSError:
            self._lost = True
        self.stuck_since = math.inf
        if self._lost or not self.is_open:
            self.cut()

    def _send_waiting(self) -> bool:
        """Send as much as goes out now; True if that was everything."""
        while self._unsent or self._waiting:
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
            batch = b"".join(self._waiting)
            self._waiting.clear()
            return batch
        lines, size = 0, 0
        while size < BATCH and lines < len(self._waiting):
            size += len(self._waiting[lines])
            lines += 1
        batch = b"".join(self._waiting[:lines])
        del self._waiting[:lines]
        return batch
