"""What waits to be sent on one connection: bounded, and never waited for by who puts it there."""

from __future__ import annotations

from collections import deque

import trio

MAX_BYTES = 8 * 1024 * 1024
"""Above this a reader has stopped reading: a whole long game fits, sent again from its start."""
BATCH = 64 * 1024
"""How much goes out in one send."""


class Outbox:
    """Lines for one writer. Once closed it takes nothing more, but gives out what it holds."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._lines: deque[bytes] = deque()
        self._size = 0
        self._max_bytes = max_bytes
        self._wake = trio.Event()
        self.closed = False

    def put(self, line: bytes) -> bool:
        """Add a line; False when there is no room: the reader is too slow to be served."""
        if self.closed:
            return True
        if self._size + len(line) > self._max_bytes:
            return False
        self._lines.append(line)
        self._size += len(line)
        self._wake.set()
        return True

    def close(self) -> None:
        """Take nothing more."""
        self.closed = True
        self._wake.set()

    async def take(self) -> bytes:
        """The next lines to send, at once; empty when the outbox is closed and drained."""
        while not self._lines and not self.closed:
            self._wake = trio.Event()
            await self._wake.wait()
        batch = []
        size = 0
        while self._lines and size < BATCH:
            batch.append(self._lines.popleft())
            size += len(batch[-1])
        self._size -= size
        return b"".join(batch)
