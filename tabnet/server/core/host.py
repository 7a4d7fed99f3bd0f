"""What the service asks of a host: who seats the players, where that is not left to themselves."""

from __future__ import annotations

from typing import Protocol

from tabnet.protocol.frames import Failed
from tabnet.protocol.messages import Join
from tabnet.server.core.addressing import Request
from tabnet.server.core.effects import Effect
from tabnet.server.core.match import Match


class Host(Protocol):
    """It serves `join`, and is told what else happens. With a host nobody sees games of others."""

    def join(self, ask: Request[Join]) -> list[Effect]:
        """Serve a join in the place of the lobby."""
        ...

    def garbled(self, session: int, failed: Failed) -> list[Effect]:
        """A connection has sent what is no command; it has been refused."""
        ...

    def gone(self, session: int) -> None:
        """A connection has ended."""
        ...

    def removed(self, match: Match, seat: int) -> None:
        """Somebody is out of a match; with less than two left it is over, as is told next."""
        ...

    def over(self, match: Match) -> None:
        """A match has ended."""
        ...
