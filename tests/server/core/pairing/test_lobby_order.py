"""The lobby's indexes find the same tables as a search through all tables."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from attrs import define, evolve, field
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.errors import Refused
from tabnet.server.core.matches.terms import Terms, read_terms
from tabnet.server.core.pairing.lobby import Lobby, Table, WaitingPlayer
from tests.commands import join

TERMS = [
    read_terms(join(group=1, size=7)),
    read_terms(join(group=2, size=7)),
    read_terms(join(kind="draughts")),
    evolve(read_terms(join(kind="draughts")), seats=4),
    read_terms(join(kind="fish", seats=3)),
]


@define
class SearchedTable:
    """A table of the search."""

    terms: Terms
    private: bool
    expires: int
    players: list[WaitingPlayer] = field(factory=list)

    def place_of(self, nick: str) -> int:
        """Return the player's place, or the next free one."""
        nicks = [player.nick for player in self.players]
        return nicks.index(nick) if nick in nicks else len(nicks)

    def has_taken(self, player: WaitingPlayer) -> bool:
        """Another player has the same wish."""
        return player.wish is not None and any(
            other.wish == player.wish and other.nick != player.nick for other in self.players
        )


@define
class Search:
    """A lobby that looks at every table, oldest first."""

    tables: dict[str, SearchedTable] = field(factory=dict)

    def join(
        self, terms: Terms, player: WaitingPlayer, private: bool, new_id: str, expires: int
    ) -> str:
        same = {
            id: table
            for id, table in self.tables.items()
            if (table.terms, table.private) == (terms, private)
        }
        own = [id for id, table in same.items() if table.place_of(player.nick) < len(table.players)]
        free = [id for id, table in same.items() if not private and not table.has_taken(player)]
        id = (own or free or [new_id])[0]
        return self.seat(id, player, SearchedTable(terms, private, expires))

    def seat(self, id: str, player: WaitingPlayer, new: SearchedTable | None = None) -> str:
        table = self.tables.get(id) or new
        assert table is not None
        if table.has_taken(player):
            return "bad_value"
        place = table.place_of(player.nick)
        table.players[place : place + 1] = [player]
        self.tables[id] = table
        if len(table.players) == table.terms.seats:
            del self.tables[id]
        return id

    def leave(self, id: str, nick: str) -> None:
        table = self.tables[id]
        del table.players[table.place_of(nick)]
        if not table.players:
            del self.tables[id]

    def pop_expired(self, now: int) -> list[str]:
        over = sorted((table.expires, id) for id, table in self.tables.items())
        gone = [id for expires, id in over if expires <= now]
        for id in gone:
            del self.tables[id]
        return gone

    def list_newest(self, kind: str | None, count: int) -> list[str]:
        public = [
            id
            for id, table in self.tables.items()
            if not table.private and kind in (None, table.terms.kind)
        ]
        return public[::-1][:count]


def outcome(join: Callable[[], Table]) -> str:
    """Return the id of the table that a player joins, or the code of the refusal."""
    try:
        return join().id
    except Refused as refused:
        return refused.code


@settings(max_examples=50)
@given(st.randoms(use_true_random=False), st.integers(1, 120))
def test_the_lobby_finds_the_same_tables_as_a_search(luck: random.Random, steps: int) -> None:
    lobby, search, now = Lobby(), Search(), 0
    for step in range(steps):
        id, now = f"{luck.getrandbits(16):04x}-{step}", now + luck.choice((0, 1, 9000))
        waits = list(lobby.tables.values())
        action = luck.choice(("join", "join", "join", "invited", "leave", "expire"))
        terms = luck.choice(TERMS)
        wish = luck.choice((None, None, *range(terms.seats)))
        player = WaitingPlayer(f"player {luck.randrange(12)}", wish=wish)
        if action == "join":
            private = luck.random() < 0.3
            if private:
                invite = partial(str, f"invite {id}")
                found = outcome(partial(lobby.join_privately, terms, player, id, invite, now))
            else:
                found = outcome(partial(lobby.join, terms, player, id, now))
            wait = lobby.tables.get(found)
            expires = wait.expires if wait else 0
            assert search.join(terms, player, private, id, expires) == found
        elif action == "invited" and (invites := [table for table in waits if table.invite]):
            table = lobby.find_invited(str(luck.choice(invites).invite))
            player = evolve(player, wish=luck.choice((None, *range(table.terms.seats))))
            if player.nick not in table.nicks:
                found = outcome(partial(lobby.join_invited, table, player))
                assert search.seat(table.id, player) == found
        elif action == "leave" and waits:
            table = luck.choice(waits)
            nick = luck.choice(table.nicks)
            lobby.leave(table, nick)
            search.leave(table.id, nick)
        elif action == "expire":
            assert [table.id for table in lobby.pop_expired(now)] == search.pop_expired(now)
        assert {id: table.players for id, table in lobby.tables.items()} == {
            id: table.players for id, table in search.tables.items()
        }
        assert list(lobby.tables) == list(search.tables)
        assert lobby.ends.earliest == min(
            (table.expires for table in search.tables.values()), default=None
        )
        for kind in (None, "tab", "draughts"):
            assert [table.id for table in lobby.list_newest(kind, 3)] == search.list_newest(kind, 3)
