"""Who waits for what, and who is paired with whom. Pure."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import ClassVar

from attrs import define, field, frozen

from tabnet.errors import Refused
from tabnet.server.core.terms import Terms

PUBLIC_WAIT_MS = 120_000
"""How long a join waits for an opponent."""
PRIVATE_WAIT_MS = 24 * 3600 * 1000
"""How long an invite is good for."""

LUCK_BYTES = 8
STALE = 100
"""How many ends of waits that are no more may be remembered."""


@frozen
class Player:
    """Somebody who asked for a seat."""

    nick: str
    ranked: bool = True
    auto: bool = False
    wish: int | None = None
    """The seat asked for."""
    salt_hash: str | None = None


@define(eq=False)
class Table:
    """A match that waits for its players."""

    id: str
    terms: Terms
    expires: int
    players: list[Player]
    invite: str | None = None
    """Who has it may join; without one, anybody may."""

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
        return player.nick not in self.nicks and not self._has_promised(player)

    def admit(self, player: Player) -> None:
        """Give the player a place; who had one keeps it, and has the wish renewed."""
        if self._has_promised(player):
            text = f"seat {player.wish} is taken"
            raise Refused("bad_value", text, field="seat", hint="leave it out")
        nicks = self.nicks
        place = nicks.index(player.nick) if player.nick in nicks else len(nicks)
        self.players[place : place + 1] = [player]

    def _has_promised(self, player: Player) -> bool:
        """Another one has asked for the same seat."""
        return player.wish is not None and any(
            player.wish == other.wish and player.nick != other.nick for other in self.players
        )

    def seated(self, entropy: Callable[[int], bytes]) -> tuple[Player, ...]:
        """The players in seat order: wishes first, then first come, first served.

        In private, where it is no matter of chance who comes first, chance decides.
        """
        seats: list[Player | None] = [None] * len(self.players)
        for player in self.players:
            if player.wish is not None:
                seats[player.wish] = player
        rest = [player for player in self.players if player.wish is None]
        if self.invite is not None:
            rest.sort(key=lambda _: entropy(LUCK_BYTES))
        waiting = iter(rest)
        return tuple(player or next(waiting) for player in seats)


@define
class Lobby:
    """The tables that wait, oldest first."""

    tables: dict[str, Table] = field(factory=dict)
    _ends: list[tuple[int, str]] = field(factory=list)
    """When each wait ends, also of tables that wait no more."""

    def join(self, terms: Terms, player: Player, new_id: str, now: int) -> Table:
        """Seat the player at a table on these terms, a new one if need be.

        A full table has left the lobby: its match begins. Joining again while waiting renews the
        wish and keeps the place; a wish that another one there has is refused.
        """
        table = self.waiting(terms, player.nick, private=False) or self._open(terms, player)
        return self._seat(table or Table(new_id, terms, now + PUBLIC_WAIT_MS, []), player)

    def join_privately(
        self, terms: Terms, player: Player, new_id: str, invite: Callable[[], str], now: int
    ) -> Table:
        """A table that only its invite leads to; joining again gives the same one."""
        table = self.waiting(terms, player.nick, private=True)
        if table is None:
            table = Table(new_id, terms, now + PRIVATE_WAIT_MS, [], invite())
        return self._seat(table, player)

    def invited(self, invite: str) -> Table:
        """The table that an invite leads to."""
        for table in self.tables.values():
            if table.invite == invite:
                return table
        raise Refused("unknown_invite", "no private game waits for this invite", field="invite")

    def join_invited(self, table: Table, player: Player) -> Table:
        """Take a seat at the table of an invite."""
        if player.nick in table.nicks:
            raise Refused(
                "own_invite", "the invite is to your own game", field="invite", hint="send it on"
            )
        return self._seat(table, player)

    def _seat(self, table: Table, player: Player) -> Table:
        table.admit(player)
        if table.is_full:
            del self.tables[table.id]
        elif table.id not in self.tables:
            self.add(table)
        return table

    def waiting(self, terms: Terms, nick: str, *, private: bool) -> Table | None:
        """The table at which that player waits for such a game."""
        return next(
            (
                table
                for table in self.tables.values()
                if table.terms == terms
                and (table.invite is not None) == private
                and nick in table.nicks
            ),
            None,
        )

    def _open(self, terms: Terms, player: Player) -> Table | None:
        return next(
            (
                table
                for table in self.tables.values()
                if table.terms == terms and table.invite is None and table.welcomes(player)
            ),
            None,
        )

    def add(self, table: Table) -> Table:
        """Let a table wait."""
        self.tables[table.id] = table
        if len(self._ends) > 2 * len(self.tables) + STALE:
            self._ends = sorted((waits.expires, waits.id) for waits in self.tables.values())
        else:
            heappush(self._ends, (table.expires, table.id))
        return table

    def leave(self, table: Table, nick: str) -> None:
        """Take a player off a table; the last one takes the table along."""
        table.players = [player for player in table.players if player.nick != nick]
        if not table.players:
            del self.tables[table.id]

    def expired(self, now: int) -> list[Table]:
        """The tables whose wait is over; they are gone."""
        over = []
        while self._ends and self._ends[0][0] <= now:
            table = self.tables.pop(heappop(self._ends)[1], None)
            if table is not None:
                over.append(table)
        return over

    def deadline(self) -> int | None:
        """When to look again: no wait ends before."""
        while self._ends and self._ends[0][1] not in self.tables:
            heappop(self._ends)
        return self._ends[0][0] if self._ends else None
