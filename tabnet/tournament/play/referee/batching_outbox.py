"""An outbox that does not wake a bot for updates that need no answer.

To wake a process costs as much as to check a move. Updates for a player that is not to act are
batched with the next one that it has to answer, or sent after `MAX_DELAY_S`.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from tabnet.server.net.connection import Connection
from tabnet.server.net.outbox import Delivery, Outbox

MAX_DELAY_S = 0.01


class BatchingOutbox(Outbox):
    """An outbox that delays frames for connections that `may_wait`."""

    def __init__(self, may_wait: Callable[[Connection], bool]) -> None:
        super().__init__()
        self._may_wait = may_wait
        self._news = trio.Event()

    def deliver(self, delivery: Delivery) -> None:
        super().deliver(delivery)
        self._news.set()

    def flush(self) -> bool:
        """Send what connections have queued, except for those that may wait.

        Return False if there was nothing to send.
        """
        late = [connection for connection in self._touched if self._may_wait(connection)]
        for connection in late:
            del self._touched[connection]
        has_sent = super().flush()
        self._touched.update(dict.fromkeys(late))
        return has_sent

    async def run(self) -> None:
        """Send delayed frames when their time is over, for ever."""
        while True:
            await self._news.wait()
            await trio.sleep(MAX_DELAY_S)
            self._news = trio.Event()
            super().flush()
