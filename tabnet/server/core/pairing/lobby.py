"""Tables that wait for players, and the table that each join leads to. Pure.

Indexes find the table of a join, so a join costs the same whether few or many tables wait.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import ClassVar

from attrs import define, evolve, field, fields

from tabnet.errors import Refused
from tabnet.protocol.frozen_values import frozen
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import Terms
from tabnet.server.core.ordered_collections import Deadlines, NewestIds, Queues

PUBLIC_WAIT_MS = 120_000
"""The time that a join waits for an opponent."""
PRIVATE_WAIT_MS = 24 * 3600 * 1000
"""The time for which an invite is valid."""
AGAIN_WAIT_MS = 600_000
"""The time for which a player waits for the others to play a finished game again."""
LUCK_BYTES = 8
SECRET = "sha256:"  # noqa: S105 - a prefix
"""The beginning of an invite of which only the digest is stored."""
AGAIN = "again:"
"""The beginning of the invite to play a finished game again, which only its players can use."""


def hide_invite(invite: str) -> str:
    """Return the form in which a secret invite is stored; case does not matter."""
    return SECRET + hashlib.sha256(invite.lower().encode()).hexdigest()


def get_wait_ms(invite: str | None) -> int:
    """Return the time for which a table with that invite waits."""
    if invite is None:
        return PUBLIC_WAIT_MS
    return AGAIN_WAIT_MS if invite.startswith(AGAIN) else PRIVATE_WAIT_MS


@frozen
class WaitingPlayer(Seat):
    """A player who has asked for a seat, and how the seat will be played."""

    wish: int | None = None
    """The number of the seat asked for."""
    origin: str | None = None
    """The origin that the wait counts for, if there is one; it is stored only while they wait."""

    def without_wish(self) -> Seat:
        """Return the seat for the match."""
        return Seat(*(getattr(self, each.name) for each in fields(Seat)))


@define(eq=False)
class Table:
    """A match that waits for its players."""

    id: str
    terms: Terms
    expires: int
    players: list[WaitingPlayer]
    invite: str | None = None
    """Only a player who has it may join; without an invite, any player may."""
    age: int = 0
    """The number that the lobby gives to each table: older tables have smaller ones."""

    seq: ClassVar[int] = 0
    """No update has been sent yet."""

    @property
    def nicks(self) -> list[str]:
        """The nicks of the players who wait here."""
        return [player.nick for player in self.players]

    @property
    def wishes(self) -> frozenset[int]:
        """The seats that its players have asked for."""
        return frozenset(player.wish for player in self.players if player.wish is not None)

    @property
    def has_secret_invite(self) -> bool:
        """True if only the digest of the invite is stored."""
        return self.invite is not None and self.invite.startswith(SECRET)

    @property
    def is_again(self) -> bool:
        """True if a finished game is to be played again."""
        return self.invite is not None and self.invite.startswith(AGAIN)

    @property
    def needs_players_online(self) -> bool:
        """True if the wait ends when none of its players is connected."""
        return all(player.must_be_online for player in self.players)

    @property
    def lowest_free_seat(self) -> int | None:
        """The lowest seat that no player has asked for; None if the table is full."""
        return next((seat for seat in range(self.terms.seats) if seat not in self.wishes), None)

    @property
    def is_full(self) -> bool:
        """True if all seats are taken."""
        return len(self.players) == self.terms.seats

    def list_players_with(self, player: WaitingPlayer) -> list[WaitingPlayer]:
        """Return the players after one more has joined, or has joined again with another wish.

        A player who joins again keeps the place and the origin. Refuse the wish of another player.
        """
        for other in self.players:
            if player.wish is not None and player.wish == other.wish and player.nick != other.nick:
                text = f"seat {player.wish} is taken"
                raise Refused("bad_value", text, field="seat", hint="leave it out")
        nicks = self.nicks
        if player.nick not in nicks:
            return [*self.players, player]
        place = nicks.index(player.nick)
        renewed = evolve(player, origin=self.players[place].origin)
        return [*self.players[:place], renewed, *self.players[place + 1 :]]

    def order_by_seat(self, entropy: Callable[[int], bytes]) -> tuple[WaitingPlayer, ...]:
        """Return the players in seat order: wishes first, then first come, first served.

        In a private game the order of coming is no matter of chance, so `entropy` decides instead.
        """
        seats: list[WaitingPlayer | None] = [None] * len(self.players)
        for player in self.players:
            if player.wish is not None:
                seats[player.wish] = player
        rest = [player for player in self.players if player.wish is None]
        if self.invite is not None:
            rest.sort(key=lambda _: entropy(LUCK_BYTES))
        waiting = iter(rest)
        return tuple(player or next(waiting) for player in seats)


@cache
def _list_wishes_beside(seats: int, wish: int | None) -> tuple[frozenset[int], ...]:
    """Return every set of wishes that the players of a table with room for `wish` can have."""
    others = [seat for seat in range(seats) if seat != wish]
    return tuple(
        frozenset(wishes) for number in range(seats) for wishes in combinations(others, number)
    )


@define
class Lobby:
    """The tables that wait, oldest first."""

    tables: dict[str, Table] = field(factory=dict)
    """By id. Tables come and go by `add` and `remove` alone."""
    _youngest: int = field(default=0, eq=False)
    """The age of the table that came last."""
    ends: Deadlines = field(factory=Deadlines)
    """The time at which each wait ends."""
    _open: Queues[tuple[Terms, frozenset[int]]] = field(factory=Queues)
    """The public tables by terms and by the wishes of their players, oldest first."""
    _waiting: Queues[tuple[str, Terms, bool]] = field(factory=Queues)
    """The tables by nick, terms and whether they are private, oldest first.

    Those for players of a finished game are found by that game instead."""
    _invites: dict[str, Table] = field(factory=dict)
    _public: NewestIds = field(factory=NewestIds, eq=False)

    def join(self, terms: Terms, player: WaitingPlayer, new_id: str, now: int) -> Table:
        """Seat the player at a table with these terms, at a new one if there is none.

        A full table leaves the lobby, because its match begins.
        """
        table = self.find_waiting(terms, player.nick, private=False)
        table = table or self._find_oldest_for(terms, player)
        return self.seat(table or Table(new_id, terms, now + PUBLIC_WAIT_MS, []), player)

    def join_privately(
        self, terms: Terms, player: WaitingPlayer, new_id: str, invite: Callable[[], str], now: int
    ) -> Table:
        """Seat the player at a table for invited players only, at the same one when joining again.

        `invite` makes the invite of a new table.
        """
        table = self.find_waiting(terms, player.nick, private=True)
        if table is None:
            table = Table(new_id, terms, now + PRIVATE_WAIT_MS, [], invite())
        return self.seat(table, player)

    def find_again(self, game: str) -> Table | None:
        """Return the table at which players wait to play a finished game again, or None."""
        return self._invites.get(AGAIN + game)

    def join_again(
        self, game: str, terms: Terms, player: WaitingPlayer, new_id: str, now: int
    ) -> Table:
        """Seat the player at the table for players of a finished game, at a new one if need be."""
        table = self.find_again(game)
        if table is None:
            table = Table(new_id, terms, now + AGAIN_WAIT_MS, [], AGAIN + game)
        return self.seat(table, player)

    def find_invited(self, invite: str) -> Table:
        """Return the table that an invite leads to."""
        secret = hide_invite(invite)
        table = self._invites.get(secret)
        if table is None and not invite.startswith((SECRET, AGAIN)):
            table = self._invites.get(invite)
        if table is None:
            raise Refused("unknown_invite", "no private game waits for this invite", field="invite")
        return table

    def join_invited(self, table: Table, player: WaitingPlayer) -> Table:
        """Take a seat at the table of an invite."""
        if player.nick in table.nicks:
            text = "the invite is to your own game"
            raise Refused("own_invite", text, field="invite", hint="send it on")
        return self.seat(table, player)

    def seat(self, table: Table, player: WaitingPlayer) -> Table:
        """Seat the player at a table, a new or a waiting one; a full table leaves the lobby."""
        players = table.list_players_with(player)
        if table.id not in self.tables:
            table.players = players
            return self.add(table)
        self._set_players(table, players)
        if table.is_full:
            self.remove(table)
        return table

    def find_waiting(self, terms: Terms, nick: str, *, private: bool) -> Table | None:
        """Return the oldest table at which that player waits for such a game, or None."""
        oldest = self._waiting.find_first((nick, terms, private))
        return oldest and self.tables[oldest[1]]

    def _find_oldest_for(self, terms: Terms, player: WaitingPlayer) -> Table | None:
        """Return the oldest public table where nobody has the player's wish, or None."""
        oldest = [
            first
            for wishes in _list_wishes_beside(terms.seats, player.wish)
            if (first := self._open.find_first((terms, wishes)))
        ]
        return self.tables[min(oldest)[1]] if oldest else None

    def list_newest(self, kind: str | None, count: int) -> list[Table]:
        """Return the newest public tables of a kind, or of all kinds, newest first."""
        return [self.tables[id] for id in self._public.list_newest(kind, count)]

    def add(self, table: Table) -> Table:
        """Add a table that waits."""
        self._youngest += 1
        table.age = self._youngest
        self.tables[table.id] = table
        self.ends.set(table.id, table.expires)
        if table.invite is None:
            self._public.add(table.terms.kind, table.id)
        else:
            self._invites[table.invite] = table
        self._add_to_indexes(table)
        return table

    def remove(self, table: Table) -> None:
        """Remove a table that waits no more."""
        del self.tables[table.id]
        self.ends.discard(table.id)
        if table.invite is None:
            self._public.remove(table.terms.kind, table.id)
        else:
            del self._invites[table.invite]
        self._remove_from_indexes(table)

    def leave(self, table: Table, nick: str) -> None:
        """Remove a player from a table, and with the last player the table."""
        self._set_players(table, [other for other in table.players if other.nick != nick])
        if not table.players:
            self.remove(table)

    def _set_players(self, table: Table, players: list[WaitingPlayer]) -> None:
        self._remove_from_indexes(table)
        table.players = players
        self._add_to_indexes(table)

    def _add_to_indexes(self, table: Table) -> None:
        if table.invite is None:
            self._open.add((table.terms, table.wishes), table.age, table.id)
        for nick in () if table.is_again else table.nicks:
            self._waiting.add((nick, table.terms, table.invite is not None), table.age, table.id)

    def _remove_from_indexes(self, table: Table) -> None:
        if table.invite is None:
            self._open.remove((table.terms, table.wishes), table.age, table.id)
        for nick in () if table.is_again else table.nicks:
            self._waiting.remove((nick, table.terms, table.invite is not None), table.age, table.id)

    def pop_expired(self, now: int) -> list[Table]:
        """Remove and return the tables whose wait is over."""
        expired = []
        while (id := self.ends.pop_due(now)) is not None:
            expired.append(self.tables[id])
            self.remove(expired[-1])
        return expired
