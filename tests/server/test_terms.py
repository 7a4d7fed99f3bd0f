"""What a join asks for, and which scoreboard a ranking means."""

from __future__ import annotations

import pytest

from tabnet.errors import TabnetError
from tabnet.games import GAMES
from tabnet.games.tab import TabOptions
from tabnet.protocol.messages import Clock, Join, Ranking
from tabnet.server.terms import Terms, board_of, game_named, terms_of


def test_tab_is_the_default() -> None:
    terms = terms_of(Join(group=99, size=9))
    assert terms == Terms("tab", TabOptions(9), 2, Clock(move=120), 99)
    assert terms == terms_of(Join(kind="tab", group=99, size=9, seat=1, auto=True, id=3))
    assert terms.game is GAMES["tab"]
    assert terms.board == ("tab", 9, 99)
    assert terms.options_json == {"size": 9}
    assert terms.clock_json == {"move": 120}


def test_draughts_needs_nothing() -> None:
    terms = terms_of(Join(kind="draughts"))
    assert (terms.kind, terms.group, terms.clock) == ("draughts", None, Clock(total=600))
    assert terms.board == ("draughts", None, None)
    assert terms.options_json == {}
    assert terms.clock_json == {"total": 600}
    assert terms_of(Join(kind="draughts", group=3)).board == ("draughts", None, 3)


def test_a_clock_as_a_join_writes_it() -> None:
    clock = Clock(total=60, increment=2)
    terms = terms_of(Join(kind="draughts", clock=clock))
    assert terms.clock_json == {"total": 60, "increment": 2}


def test_an_increment_of_nothing_is_none() -> None:
    written = terms_of(Join(kind="draughts", clock=Clock(total=60, increment=0)))
    assert written == terms_of(Join(kind="draughts", clock=Clock(total=60)))


@pytest.mark.parametrize(
    ("join", "code", "field"),
    [
        (Join(), "undefined_field", "group"),
        (Join(size=9), "undefined_field", "group"),
        (Join(group=99), "undefined_field", "size"),
        (Join(group=99, size=8), "invalid_option", "size"),
        (Join(group=99, size=17), "invalid_option", "size"),
        (Join(kind="draughts", size=9), "unknown_option", "size"),
        (Join(kind="fly"), "unknown_kind", "kind"),
    ],
)
def test_terms_that_there_are_not(join: Join, code: str, field: str) -> None:
    with pytest.raises(TabnetError) as caught:
        terms_of(join)
    assert (caught.value.code, caught.value.field) == (code, field)


def test_the_hint_names_the_kinds() -> None:
    assert game_named(None).kind == "tab"
    with pytest.raises(TabnetError) as caught:
        game_named("fly")
    assert caught.value.hint == f"one of: {' '.join(GAMES)}"


def test_a_scoreboard_is_the_one_its_matches_count_for() -> None:
    assert board_of(Ranking(group=99, size=9)) == terms_of(Join(group=99, size=9)).board
    for group in (None, 5):
        join = terms_of(Join(kind="draughts", group=group))
        assert board_of(Ranking(kind="draughts", group=group)) == join.board
    assert board_of(Ranking(group=99, size=4)) == ("tab", 4, 99)


@pytest.mark.parametrize(
    ("ranking", "code", "text"),
    [
        (Ranking(), "undefined_field", "Undefined group"),
        (Ranking(group=99), "undefined_field", "Invalid size 'undefined'"),
        (Ranking(kind="draughts", size=9), "unknown_option", "draughts has no option 'size'"),
        (Ranking(kind="fly"), "unknown_kind", "unknown kind 'fly'"),
    ],
)
def test_scoreboards_that_there_are_not(ranking: Ranking, code: str, text: str) -> None:
    with pytest.raises(TabnetError) as caught:
        board_of(ranking)
    assert (caught.value.code, caught.value.text) == (code, text)
