"""A connection that only responds to requests, and that belongs to no player."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import trio

from tabnet.protocol.frames import Bye, Reply
from tabnet.server.net.connection import Connection, OutgoingFrame

Respond: TypeAlias = Callable[[Reply | Bye], None]
"""Adds the response that a reply makes; a `bye` means that no reply comes any more."""


class RequestConnection(Connection):
    """A connection that is sent nothing but responses; see `Hub.request`.

    Updates, notices and the presence of players are not for it.
    """

    _respond: Respond | None = None

    def accept(self, outgoing: OutgoingFrame) -> bool:
        """Hand a reply to the request that waits for it, and ignore every other frame."""
        frame = outgoing.frame
        if self._respond is not None and isinstance(frame, Reply | Bye):
            respond, self._respond = self._respond, None
            self.note_answer(0)  # the dialect charges the response
            respond(frame)
        return True

    def expect_reply(self, respond: Respond) -> trio.Event:
        """Let `respond` have the next reply; the event that comes back is set then."""
        replied = trio.Event()

        def finish(frame: Reply | Bye) -> None:
            respond(frame)
            replied.set()

        self._respond = finish
        return replied
