"""The terms of a join, and the leaderboard of a ranking."""

from __future__ import annotations

import pytest
from attrs import evolve

from tabnet.errors import TabnetError
from tabnet.games import GAMES
from tabnet.games.tab import TabOptions
from tabnet.protocol.messages import Clock, Join, Ranking
from tabnet.server.core.matches.terms import (
    Terms,
    parse_hex,
    read_leaderboard_key,
    read_salt_hash,
    read_terms,
    read_wish,
    require_kind,
    require_no_terms,
)
from tests.commands import join, ranking


def test_tab_is_the_default() -> None:
    terms = read_terms(join(group=99, size=9))
    assert terms == Terms("tab", TabOptions(9), 2, Clock(move=120), 99)
    assert terms == read_terms(join(kind="tab", group=99, size=9, seat=1, auto=True, id=3))
    assert terms.game is GAMES["tab"]
    assert terms.board == ("tab", 9, 99)
    assert terms.options_json == {"size": 9}
    assert terms.clock_json == {"move": 120}


def test_draughts_has_no_options() -> None:
    terms = read_terms(join(kind="draughts"))
    assert (terms.kind, terms.group, terms.clock) == ("draughts", None, Clock(total=600))
    assert terms.board == ("draughts", None, None)
    assert terms.options_json == {}
    assert terms.clock_json == {"total": 600}
    assert read_terms(join(kind="draughts", group=3)).board == ("draughts", None, 3)


def test_the_options_of_fish_describe_its_board() -> None:
    terms = read_terms(join(kind="fish", clock=Clock(move=9)))
    assert (terms.kind, terms.seats, terms.board) == ("fish", 2, ("fish", None, None))
    assert terms.options_json == {"rows": 5, "cols": 5, "holes": 0}
    assert terms == read_terms(join(kind="fish", rows=5, cols=5, holes=0, clock=Clock(move=9)))
    given = read_terms(join(kind="fish", board=((1, 2, 3, 4), (5, 1, 2), (3, 0, 1))))
    board = [[1, 2, 3, 4], [5, 1, 2, 0], [3, 0, 1, 0]]
    assert given.options_json == {"board": board, "rows": 3, "cols": 4, "holes": 0}
    assert given.game.make_options(given.options_json) == given.options


def test_a_clock_has_the_form_of_join() -> None:
    clock = Clock(total=60, increment=2)
    terms = read_terms(join(kind="draughts", clock=clock))
    assert terms.clock_json == {"total": 60, "increment": 2}


def test_an_increment_of_zero_is_omitted() -> None:
    written = read_terms(join(kind="draughts", clock=Clock(total=60, increment=0)))
    assert written == read_terms(join(kind="draughts", clock=Clock(total=60)))


@pytest.mark.parametrize(
    ("join", "code", "field"),
    [
        (join(), "undefined_field", "group"),
        (join(size=9), "undefined_field", "group"),
        (join(group=99), "undefined_field", "size"),
        (join(group=99, size=8), "invalid_option", "size"),
        (join(group=99, size=17), "invalid_option", "size"),
        (join(kind="draughts", size=9), "unknown_option", "size"),
        (join(kind="draughts", rows=5), "unknown_option", "rows"),
        (join(group=99, size=9, board=((1,),)), "unknown_option", "board"),
        (join(kind="fish", size=5), "unknown_option", "size"),
        (join(kind="fish", rows=16), "invalid_option", "rows"),
        (join(kind="fish", rows=7, cols=1), "invalid_option", "rows"),
        (join(kind="fly"), "unknown_kind", "kind"),
    ],
)
def test_invalid_terms_are_refused(join: Join, code: str, field: str) -> None:
    with pytest.raises(TabnetError) as caught:
        read_terms(join)
    assert (caught.value.code, caught.value.field) == (code, field)


def test_the_hint_names_the_kinds() -> None:
    assert require_kind(None).kind == "tab"
    with pytest.raises(TabnetError) as caught:
        require_kind("fly")
    assert caught.value.hint == f"one of: {' '.join(GAMES)}"


def test_matches_count_for_the_scoreboard_of_their_terms() -> None:
    assert (
        read_leaderboard_key(ranking(group=99, size=9)) == read_terms(join(group=99, size=9)).board
    )
    for group in (None, 5):
        terms = read_terms(join(kind="draughts", group=group))
        assert read_leaderboard_key(ranking(kind="draughts", group=group)) == terms.board
    assert read_leaderboard_key(ranking(group=99, size=4)) == ("tab", 4, 99)


@pytest.mark.parametrize(
    ("ranking", "code", "text"),
    [
        (ranking(), "undefined_field", "Undefined group"),
        (ranking(group=99), "undefined_field", "Invalid size 'undefined'"),
        (ranking(kind="draughts", size=9), "unknown_option", "draughts has no option 'size'"),
        (ranking(kind="fly"), "unknown_kind", "unknown kind 'fly'"),
    ],
)
def test_invalid_scoreboards_are_refused(ranking: Ranking, code: str, text: str) -> None:
    with pytest.raises(TabnetError) as caught:
        read_leaderboard_key(ranking)
    assert (caught.value.code, caught.value.text) == (code, text)


def test_strict_is_part_of_the_terms_and_private_is_not() -> None:
    plain = read_terms(join(group=99, size=9))
    assert read_terms(join(group=99, size=9, strict=True)) == evolve(plain, strict=True) != plain
    assert read_terms(join(group=99, size=9, strict=False)) == plain
    assert read_terms(join(group=99, size=9, private=True, salt_hash="x")) == plain
    assert read_terms(join(group=99, size=9, strict=True)).board == plain.board


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (join(invite="i", kind="draughts"), "kind"),
        (join(invite="i", group=1), "group"),
        (join(invite="i", size=9), "size"),
        (join(invite="i", board=((1,),)), "board"),
        (join(invite="i", holes=0), "holes"),
        (join(invite="i", clock=Clock(move=1)), "clock"),
        (join(invite="i", strict=False), "strict"),
        (join(invite="i", private=False), "private"),
    ],
)
def test_terms_beside_an_invite_are_refused(given: Join, field: str) -> None:
    with pytest.raises(TabnetError) as caught:
        require_no_terms(given)
    assert (caught.value.code, caught.value.field) == ("bad_value", field)
    who = {"nick": "zp", "password": "secret", "id": 3}
    require_no_terms(join(invite="i", seat=1, auto=True, salt_hash="00", **who))


@pytest.mark.parametrize(("seats", "wish"), [(2, 0), (2, 1), (2, None), (4, 3)])
def test_a_wish_for_an_existing_seat_is_accepted(seats: int, wish: int | None) -> None:
    terms = evolve(read_terms(join(kind="draughts")), seats=seats)
    assert read_wish(join(seat=wish), terms) == wish


def test_a_wish_for_a_missing_seat_is_refused() -> None:
    with pytest.raises(TabnetError) as caught:
        read_wish(join(seat=2), read_terms(join(kind="draughts")))
    assert (caught.value.field, caught.value.hint) == ("seat", "0 to 1")


def test_a_salt_hash_is_stored_in_lower_case() -> None:
    tab, draughts = read_terms(join(group=99, size=9)), read_terms(join(kind="draughts"))
    assert read_salt_hash(join(salt_hash="AB" * 32), tab) == "ab" * 32
    assert read_salt_hash(join(), tab) is None
    assert read_salt_hash(join(), draughts) is None
    with pytest.raises(TabnetError) as caught:
        read_salt_hash(join(salt_hash="ab" * 32), draughts)
    assert (caught.value.code, caught.value.field) == ("bad_value", "salt_hash")


@pytest.mark.parametrize("text", ["0", "00 0", "0x00", "zz", "00\n0", "+1", "٠٠"])
def test_invalid_hex_is_refused(text: str) -> None:
    with pytest.raises(TabnetError) as caught:
        parse_hex(text, "salt")
    assert (caught.value.code, caught.value.field) == ("bad_value", "salt")
    assert "is not hex" in caught.value.text


@pytest.mark.parametrize("text", ["", "00", "0aF9"])
def test_valid_hex_is_accepted(text: str) -> None:
    assert parse_hex(text, "salt").hex() == text.lower()
