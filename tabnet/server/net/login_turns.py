"""The turns of logins: one password is hashed at a time, and the others wait."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from tabnet.errors import Refused
from tabnet.server.core.costs.client_origin import network_of
from tabnet.server.core.players.login_queue import LoginQueue, Priority, WaitingLogin

LONGEST_WAIT_S = 30
"""The time that a password may wait for its turn."""


class LoginTurns:
    """The logins that wait, and the one whose turn it is."""

    def __init__(self) -> None:
        self._queue = LoginQueue()
        self._numbers = itertools.count()
        self._decisions: dict[WaitingLogin, trio.Event] = {}
        """Each is set when it is the login's turn, or when the login is dropped."""
        self._served: WaitingLogin | None = None

    @asynccontextmanager
    async def turn(self, origin: str, priority: Priority) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the block; raise `Refused` if none comes."""
        login = WaitingLogin(next(self._numbers), priority, network_of(origin), origin)
        self._decisions[login] = decision = trio.Event()
        surplus = self._queue.add(login)
        if surplus is not None:
            self._decisions[surplus].set()
        self._serve_next()
        try:
            with trio.move_on_after(LONGEST_WAIT_S):
                await decision.wait()
            if self._served is not login:
                text = "the server has too many passwords to check"
                raise Refused("busy_logins", text, retry_after=LONGEST_WAIT_S)
            yield
        finally:
            self._queue.remove(login)
            del self._decisions[login]
            if self._served is login:
                self._served = None
                self._serve_next()

    def _serve_next(self) -> None:
        if self._served is None:
            self._served = self._queue.take()
            if self._served is not None:
                self._decisions[self._served].set()
