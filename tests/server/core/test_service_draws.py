"""Draws that players agree on. The dialogues in tests/fuzz/seeds.py have most cases."""

from __future__ import annotations

import pytest

from tests.server.pure import Pair, Referee, fix_throws, pair


@pytest.fixture
def referee() -> Referee:
    return Referee()


@pytest.fixture
def duel(referee: Referee) -> Pair:
    return pair(referee)


def test_a_draw_is_logged_as_the_end(referee: Referee, duel: Pair) -> None:
    duel.done("zp", "draw", offer=True)
    duel.done("jpleal", "draw", offer=True)
    assert [log.fields for log in referee.logs if log.event == "end"] == [
        {"game": duel.game, "winners": [], "reason": "agreed", "seq": 3}
    ]


def test_refused_offers_are_explained(duel: Pair) -> None:
    assert duel.refused("zp", "draw", offer=False) == ("no_offer", "you have offered no draw")
    assert duel.say("zp", "draw", offer=False)["field"] == "offer"
    duel.done("zp", "draw", offer=True)
    assert duel.refused("zp", "draw", offer=True) == (
        "already_offered",
        "you offer a draw already",
    )
    assert duel.say("zp", "draw", offer=True)["field"] == "offer"


def test_a_selected_piece_stays_selected_until_the_draw(
    duel: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_throws(monkeypatch, blue=(3,))
    duel.referee.place(duel.game, "B25 R31")
    duel.done("zp", "roll")
    held = duel.done("zp", "notify", cell=25)
    offered = duel.done("zp", "draw", offer=True)
    for name in ("step", "cell", "selected", "dice", "expects", "turn"):
        assert offered[name] == held[name]
    agreed = duel.done("jpleal", "draw", offer=True)
    assert agreed["step"] == "from"
    assert "cell" not in agreed


def test_an_offer_is_yes_or_no(duel: Pair) -> None:
    assert duel.refused("zp", "draw")[0] == "undefined_field"
    assert duel.refused("zp", "draw", offer=1)[0] == "wrong_type"
