"""Who waits for what, and who is paired with whom. Pure."""

from __future__ import annotations

from typing import ClassVar

from attrs import define, field, frozen

from tabnet.server.terms import Terms

PUBLIC_WAIT_MS = 120_000
"""How long a join waits for an opponent."""


@frozen
class Player:
    """Somebody who asked for a seat."""

    nick: str
    ranked: bool = True
    auto: bool = False
    wish: int | None = None
    """The seat asked for."""


@define(eq=False)
class Table:
    """A match that waits for its players."""

    id: str
    terms: Terms
    expires: int
    players: list[Player]

    seq: ClassVar[int] = 0
    """No update has been sent yet."""

    @property
    def nicks(self) -> list[str]:
        """Who waits here."""
        return [player.nick for player in self.players]

    @property
    def is_full(self) -> bool:
        """All seats are taken."""
        return len(self.players) == self.terms.seats

    def welcomes(self, player: Player) -> bool:
        """Nobody plays with oneself, and no seat is given twice."""
        return all(
            player.nick != other.nick and (player.wish is None or player.wish != other.wish)
            for other in self.players
        )

    def seated(self) -> tuple[Player, ...]:
        """The players in seat order: wishes first, then first come, first served."""
        seats: list[Player | None] = [None] * len(self.players)
        for player in self.players:
            if player.wish is not None:
                seats[player.wish] = player
        rest = iter([player for player in self.players if player.wish is None])
        return tuple(player or next(rest) for player in seats)


@define
class Lobby:
    """The tables that wait, oldest first."""

    tables: dict[str, Table] = field(factory=dict)

    def join(self, terms: Terms, player: Player, new_id: str, now: int) -> Table:
        """Seat the player at a table on these terms, a new one if need be.

        A full table has left the lobby: its match begins. Joining again while waiting renews the
        wish and keeps the place.
        """
        table = self._waiting(terms, player.nick)
        if table is not None:
            table.players = [other for other in table.players if other.nick != player.nick]
        if table is None or not table.welcomes(player):
            table = self._open(terms, player) or self._new(new_id, terms, now)
        table.players.append(player)
        if table.is_full:
            del self.tables[table.id]
        return table

    def _waiting(self, terms: Terms, nick: str) -> Table | None:
        return next(
            (
                table
                for table in self.tables.values()
                if table.terms == terms and nick in table.nicks
            ),
            None,
        )

    def _open(self, terms: Terms, player: Player) -> Table | None:
        return next(
            (
                table
                for table in self.tables.values()
                if table.terms == terms and table.welcomes(player)
            ),
            None,
        )

    def _new(self, id: str, terms: Terms, now: int) -> Table:
        table = self.tables[id] = Table(id, terms, now + PUBLIC_WAIT_MS, [])
        return table

    def leave(self, table: Table, nick: str) -> None:
        """Take a player off a table; the last one takes the table along."""
        table.players = [player for player in table.players if player.nick != nick]
        if not table.players:
            del self.tables[table.id]

    def expired(self, now: int) -> list[Table]:
        """The tables whose wait is over; they are gone."""
        over = [table for table in self.tables.values() if table.expires <= now]
        for table in over:
            del self.tables[table.id]
        return over

    def deadline(self) -> int | None:
        """When the next wait ends. Every wait is equally long, so the oldest ends first."""
        if not self.tables:
            return None
        return next(iter(self.tables.values())).expires
