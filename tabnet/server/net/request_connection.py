"""A connection that only responds to requests, and belongs to no player."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import trio

from tabnet.protocol.frames import Bye, Reply
from tabnet.server.net.connection import Connection, OutgoingFrame

Respond: TypeAlias = Callable[[Reply | Bye], None]
"""Adds the response to a request; a `bye` means that there will be no reply."""


class RequestConnection(Connection):
    """A connection that is sent responses, and no updates, notices or presence of players.

    See `Hub.execute_alone`.
    """

    _respond: Respond | None = None

    def accept(self, outgoing: OutgoingFrame) -> bool:
        """Pass a reply to the request that waits for it, and ignore every other frame."""
        frame = outgoing.frame
        if self._respond is not None and isinstance(frame, Reply | Bye):
            respond, self._respond = self._respond, None
            self.note_answer(0)  # the dialect charges the response
            respond(frame)
        return True

    def expect_reply(self, respond: Respond) -> trio.Event:
        """Call `respond` with the next reply; return an event that is set then."""
        replied = trio.Event()

        def finish(frame: Reply | Bye) -> None:
            respond(frame)
            replied.set()

        self._respond = finish
        return replied
