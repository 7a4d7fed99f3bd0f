"""One client, as the hub sees it: what waits to be sent to it, and how it gets out."""

from __future__ import annotations

import math
import trio

from tabnet.server.accounts import Proof
from tabnet.server.link import Link

MAX_WAITING = 8 * 1024 * 1024
"""Above this a reader has stopped reading: a whole long game fits, sent again from its start."""

BATCH = 64 * 1024
"""How much is offered to the socket in one go."""


class Connection:
    """Lines are put into it without waiting, and sent together by `flush`."""

    def __init__(self, number: int, address: str, link: Link, nursery: trio.Nursery) -> None:
        self.number = number
        self.address = address
        self.heard = 0
        """When the last whole line came, or it last played or followed something."""
        self.stuck_since = math.inf
        """Since when the client takes nothing."""
        self.proofs: dict[bytes, Proof] = {}
        """Passwords hashed before on this connection, by a fast digest of them."""
        self.is_open = True
        """Commands are still served."""
        self._link = link
        self._nursery = nursery
        self._waiting: list[bytes] = []
        self._size = 0
        self._unsent = memoryview(b"")

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
        self.is_open = False
        self._nursery.cancel_scope.cancel()

    def flush(self) -> None:
        """Send what waits. What the client does not take now a task sends, while others run."""
        if self._unsent:
            return  # that task is at it
        try:
            done = self._send_waiting()
        except OSError:
            self.cut()
            return
        if not done:
            self.stuck_since = trio.current_time()
            self._nursery.start_soon(self._drain)

    async def _drain(self) -> None:
        done = False
        try:
            while not done:
                await self._link.wait_writable()
                before = self._size
                done = self._send_waiting()
                if self._size < before:
                    self.stuck_since = trio.current_time()
        except OSError:
            self.cut()
        self.stuck_since = math.inf

    def _send_waiting(self) -> bool:
        """Send as much as goes out now; True if that was everything."""
        while self._unsent or self._waiting:
            if not self._unsent:
                self._unsent = memoryview(self._next_batch())
            sent = self._link.send(self._unsent)
            if not sent:
                return False
            self._size -= sent
            self._unsent = self._unsent[sent:]
        if not self.is_open:
            self.cut()
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
