"""The post of an arena: it does not wake a bot for what asks nothing of it.

To wake a process costs more than to judge a move. So what a player is sent while another one is to
act goes with what it has to answer; where that takes long, it goes by itself a moment later.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from tabnet.server.connection import Connection
from tabnet.server.post import Post

LATEST_S = 0.01
"""How long anything may be held back."""


class Courier(Post):
    """Holds back what goes to those who `may_wait`."""

    def __init__(self, may_wait: Callable[[Connection], bool]) -> None:
        super().__init__()
        self._may_wait = may_wait
        self._held: dict[Connection, None] = {}
        self._news = trio.Event()

    def drop(self, connection: Connection) -> None:
        """The client is gone."""
        self._held.pop(connection, None)
        super().drop(connection)

    def touch(self, connection: Connection) -> None:
        """A connection has something to send: soon, or with what comes next."""
        if self._may_wait(connection):
            self._held[connection] = None
            self._news.set()
        else:
            self._held.pop(connection, None)
            super().touch(connection)

    async def run(self) -> None:
        """Let nothing be held back for too long, for ever."""
        while True:
            await self._news.wait()
            await trio.sleep(LATEST_S)
            self._news = trio.Event()
            for connection in self._held:
                super().touch(connection)
            self._held.clear()
