"""Tables that wait, for two and for more."""

from __future__ import annotations

import pytest
from attrs import evolve

from tabnet.errors import Refused
from tabnet.server.core.matches.terms import read_terms
from tabnet.server.core.pairing.lobby import (
    PRIVATE_WAIT_MS,
    PUBLIC_WAIT_MS,
    Lobby,
    Table,
    WaitingPlayer,
)
from tests.commands import join
from tests.server.pure import entropy

FOR_TWO = read_terms(join(group=99, size=9))
OTHER = read_terms(join(group=98, size=9))
FOR_THREE = evolve(FOR_TWO, seats=3)


def nicks(table: Table) -> list[str]:
    """In seat order."""
    return [player.nick for player in table.order_by_seat(entropy())]


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
    lobby.pop_expired(PUBLIC_WAIT_MS)
    assert lobby == empty
    assert lobby.ends.earliest is None
    assert lobby.list_newest(None, 1) == lobby.list_newest("tab", 1) == []


# -- private tables


def test_only_its_invite_leads_to_a_private_table() -> None:
    lobby = Lobby()
    table = lobby.join_privately(FOR_TWO, WaitingPlayer("zp"), "g", lambda: "i", 1000)
    assert (table.id, table.invite, table.expires) == ("g", "i", 1000 + PRIVATE_WAIT_MS)
    assert lobby.join(FOR_TWO, WaitingPlayer("jpleal"), "h", 2000).id == "h"
    assert lobby.join_privately(FOR_TWO, WaitingPlayer("rui"), "j", lambda: "k", 2000).id == "j"
    assert lobby.find_invited("i") is table
    assert lobby.join_invited(table, WaitingPlayer("ana")) is table
    assert table.is_full
    assert list(lobby.tables) == ["h", "j"]
    with pytest.raises(Refused) as caught:
        lobby.find_invited("i")
    assert (caught.value.code, caught.value.field) == ("unknown_invite", "invite")
