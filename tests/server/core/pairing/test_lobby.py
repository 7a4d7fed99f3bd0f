"""Tables that wait, for two and for more."""

from __future__ import annotations

import pytest
from attrs import evolve

from tabnet.errors import Refused
from tabnet.server.core.matches.terms import terms_of
from tabnet.server.core.pairing.lobby import (
    PRIVATE_WAIT_MS,
    PUBLIC_WAIT_MS,
    Lobby,
    Table,
    WaitingPlayer,
)
from tests.commands import join
from tests.server.pure import entropy

FOR_TWO = terms_of(join(group=99, size=9))
OTHER = terms_of(join(group=98, size=9))
FOR_THREE = evolve(FOR_TWO, seats=3)


def nicks(table: Table) -> list[str]:
    """In seat order."""
    return [player.nick for player in table.seated(entropy())]


def test_the_first_waits_and_the_second_fills_the_table() -> None:
    lobby = Lobby()
    table = lobby.join(FOR_TWO, WaitingPlayer("zp"), "g", 1000)
    assert (table.id, table.expires, table.seq) == ("g", 1000 + PUBLIC_WAIT_MS, 0)
    assert not table.is_full
    assert lobby.tables == {"g": table}
    assert lobby.join(FOR_TWO, WaitingPlayer("jpleal"), "h", 2000) is table
    assert table.is_full
    assert table.nicks == nicks(table) == ["zp", "jpleal"]
    assert lobby.tables == {}


def test_joining_again_replaces_the_wish_and_keeps_the_place() -> None:
    lobby = Lobby()
    table = lobby.join(FOR_TWO, WaitingPlayer("zp", wish=0), "g", 0)
    again = WaitingPlayer("zp", auto=True, wish=1)
    assert lobby.join(FOR_TWO, again, "h", 5000) is table
    assert table.players == [again]
    assert table.expires == PUBLIC_WAIT_MS
    assert lobby.join(OTHER, WaitingPlayer("zp"), "i", 5000) is not table


def test_tables_for_three() -> None:
    lobby = Lobby()
    table = lobby.join(FOR_THREE, WaitingPlayer("a"), "g", 0)
    assert lobby.join(FOR_THREE, WaitingPlayer("b", wish=0), "h", 0) is table
    other = lobby.join(FOR_THREE, WaitingPlayer("c", wish=0), "i", 0)
    assert other is not table
    assert lobby.join(FOR_THREE, WaitingPlayer("a"), "j", 0) is table
    assert lobby.join(FOR_THREE, WaitingPlayer("c", wish=2), "k", 0) is other
    assert lobby.join(FOR_THREE, WaitingPlayer("d", wish=1), "l", 0) is table
    assert table.is_full
    assert nicks(table) == ["b", "d", "a"]
    assert list(lobby.tables) == ["i"]


def test_a_renewed_wish_for_a_taken_seat_is_refused() -> None:
    lobby = Lobby()
    table = lobby.join(FOR_THREE, WaitingPlayer("a"), "g", 0)
    assert lobby.join(FOR_THREE, WaitingPlayer("b", wish=0), "h", 0) is table
    private = lobby.join_privately(FOR_THREE, WaitingPlayer("a"), "p", lambda: "i", 0)
    lobby.join_invited(private, WaitingPlayer("b", wish=0))
    before = list(table.players), list(private.players)
    for again in (
        lambda player: lobby.join(FOR_THREE, player, "i", 0),
        lambda player: lobby.join_privately(FOR_THREE, player, "q", never, 0),
    ):
        with pytest.raises(Refused) as caught:
            again(WaitingPlayer("a", wish=0))
        assert (caught.value.code, caught.value.field) == ("bad_value", "seat")
        again(WaitingPlayer("b", wish=0))
    assert (table.players, private.players) == before
    assert list(lobby.tables) == ["g", "p"]


def test_joining_again_among_several_keeps_the_place() -> None:
    lobby = Lobby()
    table = lobby.join(FOR_THREE, WaitingPlayer("a"), "g", 0)
    lobby.join(FOR_THREE, WaitingPlayer("b"), "h", 0)
    lobby.join(FOR_THREE, WaitingPlayer("a", auto=True), "i", 0)
    lobby.join(FOR_THREE, WaitingPlayer("c"), "j", 0)
    assert nicks(table) == ["a", "b", "c"]
    assert table.players[0].auto


def test_a_player_who_leaves_is_removed_from_the_wait() -> None:
    lobby = Lobby()
    table = lobby.join(FOR_THREE, WaitingPlayer("a"), "g", 0)
    lobby.join(FOR_THREE, WaitingPlayer("b"), "h", 0)
    lobby.leave(table, "a")
    assert (table.nicks, list(lobby.tables)) == (["b"], ["g"])
    lobby.leave(table, "b")
    assert lobby.tables == {}


@pytest.mark.parametrize(
    ("wishes", "order"),
    [
        ((None, None, None), "abc"),
        ((None, None, 0), "cab"),
        ((2, None, 0), "cba"),
        ((None, 0, 1), "bca"),
        ((1, 2, None), "cab"),
    ],
)
def test_wishes_precede_the_order_of_joins(wishes: tuple[int | None, ...], order: str) -> None:
    players = [WaitingPlayer(nick, wish=wish) for nick, wish in zip("abc", wishes, strict=True)]
    assert nicks(Table("g", FOR_THREE, 0, players)) == list(order)


def test_the_oldest_wait_expires_first() -> None:
    lobby = Lobby()
    assert lobby.deadline() is None
    for now, (terms, id) in enumerate(((FOR_TWO, "g"), (OTHER, "h"), (FOR_THREE, "i"))):
        lobby.join(terms, WaitingPlayer("zp"), id, now)
    assert lobby.deadline() == PUBLIC_WAIT_MS
    assert lobby.expired(PUBLIC_WAIT_MS - 1) == []
    assert [table.id for table in lobby.expired(PUBLIC_WAIT_MS + 1)] == ["g", "h"]
    assert list(lobby.tables) == ["i"]
    assert lobby.deadline() == PUBLIC_WAIT_MS + 2


def test_a_lobby_forgets_removed_tables() -> None:
    lobby, empty = Lobby(), Lobby()
    lobby.leave(lobby.join(FOR_TWO, WaitingPlayer("zp", wish=0), "g", 0), "zp")
    lobby.leave(lobby.join_privately(FOR_TWO, WaitingPlayer("zp"), "h", lambda: "i", 0), "zp")
    lobby.join(FOR_TWO, WaitingPlayer("zp"), "j", 0)
    lobby.join(FOR_TWO, WaitingPlayer("rui"), "k", 0)
    lobby.join_invited(
        lobby.join_privately(FOR_TWO, WaitingPlayer("a"), "l", lambda: "m", 0), WaitingPlayer("b")
    )
    lobby.join(FOR_TWO, WaitingPlayer("zp"), "n", 0)
    lobby.expired(PUBLIC_WAIT_MS)
    assert lobby == empty
    assert (lobby.deadline(), lobby.newest(None, 1), lobby.newest("tab", 1)) == (None, [], [])


# -- private tables


def never() -> str:
    raise AssertionError("no invite is needed")


def test_only_its_invite_leads_to_a_private_table() -> None:
    lobby = Lobby()
    table = lobby.join_privately(FOR_TWO, WaitingPlayer("zp"), "g", lambda: "i", 1000)
    assert (table.id, table.invite, table.expires) == ("g", "i", 1000 + PRIVATE_WAIT_MS)
    assert lobby.join(FOR_TWO, WaitingPlayer("jpleal"), "h", 2000).id == "h"
    assert lobby.join_privately(FOR_TWO, WaitingPlayer("rui"), "j", lambda: "k", 2000).id == "j"
    assert lobby.invited("i") is table
    assert lobby.join_invited(table, WaitingPlayer("ana")) is table
    assert table.is_full
    assert list(lobby.tables) == ["h", "j"]
    with pytest.raises(Refused) as caught:
        lobby.invited("i")
    assert (caught.value.code, caught.value.field) == ("unknown_invite", "invite")


def test_joining_privately_again_replaces_the_wish_and_keeps_the_wait_and_the_invite() -> None:
    lobby = Lobby()
    table = lobby.join_privately(FOR_TWO, WaitingPlayer("zp", wish=0), "g", lambda: "i", 0)
    again = WaitingPlayer("zp", wish=1, salt_hash="00")
    assert lobby.join_privately(FOR_TWO, again, "h", never, 5000) is table
    assert (table.players, table.invite, table.expires) == ([again], "i", PRIVATE_WAIT_MS)


def test_a_private_table_for_three() -> None:
    lobby = Lobby()
    table = lobby.join_privately(FOR_THREE, WaitingPlayer("a"), "g", lambda: "i", 0)
    lobby.join_invited(table, WaitingPlayer("b", wish=0))
    assert not table.is_full
    for player, code in (
        (WaitingPlayer("a"), "own_invite"),
        (WaitingPlayer("b"), "own_invite"),
        (WaitingPlayer("c", wish=0), "bad_value"),
    ):
        with pytest.raises(Refused) as caught:
            lobby.join_invited(table, player)
        assert caught.value.code == code
    lobby.join_invited(table, WaitingPlayer("c", wish=2))
    assert nicks(table) == ["b", "a", "c"]
    assert lobby.tables == {}
