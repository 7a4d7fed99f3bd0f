"""The interface by which a server seats players and learns of their games. Pure."""

from __future__ import annotations

from typing import Protocol

from tabnet.protocol.frames import Failed
from tabnet.protocol.messages import Join
from tabnet.server.core.addressing import Request
from tabnet.server.core.effects import Effect
from tabnet.server.core.game_index import GameIndex
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import Table


class Matchmaking(Protocol):
    """The rules by which a server seats players, and what it learns of their games."""

    def join(self, ask: Request[Join]) -> list[Effect]:
        """Execute a join."""
        ...

    def listed_games(self) -> GameIndex:
        """Return the games that all clients may list."""
        ...

    def require_visible(self, game: Match | Table, nick: str | None) -> None:
        """Refuse a question about a game that this player may not see."""
        ...

    def malformed(self, session: int, failed: Failed) -> list[Effect]:
        """React to a malformed line, which the server has refused."""
        ...

    def disconnected(self, session: int) -> None:
        """Forget a connection that has ended."""
        ...

    def changed(self, match: Match, since: int) -> None:
        """React to the events of a match after number `since`."""
        ...
