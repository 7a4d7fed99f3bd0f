"""The post of an arena: it does not wake a bot for what asks nothing of it.

To wake a process costs as much as to judge a move. So what a player is sent while another one is to
act goes with what it has to answer; where that takes long, it goes by itself a moment later.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from tabnet.server.net.connection import Connection
from tabnet.server.net.outbox import Delivery, Outbox

LATEST_S = 0.01
"""How long anything may be held back."""


class LazyOutbox(Outbox):
    """Holds back what goes to those who `may_wait`."""

    def __init__(self, may_wait: Callable[[Connection], bool]) -> None:
        super().__init__()
        self._may_wait = may_wait
        self._news = trio.Event()

    def deliver(self, delivery: Delivery) -> None:
        """Put a line into connections; who is gone gets none."""
        super().deliver(delivery)
        self._news.set()

    def flush(self) -> None:
        """Send what was put into connections, to those who may not wait."""
        late = [connection for connection in self._touched if self._may_wait(connection)]
        for connection in late:
            del self._touched[connection]
        super().flush()
        self._touched.update(dict.fromkeys(late))

    async def run(self) -> None:
        """Let nothing be held back for too long, for ever."""
        while True:
            await self._news.wait()
            await trio.sleep(LATEST_S)
            self._news = trio.Event()
            super().flush()
