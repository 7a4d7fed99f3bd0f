"""Positions drawn: whose side is below, what stands where, what is marked."""

from __future__ import annotations

import re

import pytest

from tabnet.client.plain_text import plain
from tabnet.games import GAMES
from tabnet.games.fish.input import spot, tile
from tabnet.games.terminal import Marks
from tests.client.positions import draughts, fish, snapshot, tab

NOTHING = Marks()


def draw(kind, state, seat, marks, columns):
    return GAMES[kind].terminal.draw(snapshot(kind, state).position, seat, marks, columns)


def drawn(kind, state, seat=0, marks=NOTHING, columns=80):
    return plain(draw(kind, state, seat, marks, columns))


def cells_of(line):
    return line[:-1].split()


def test_tab_has_the_home_row_of_the_first_player_at_the_bottom():
    lines = drawn("tab", GAMES["tab"].start()).splitlines()
    assert cells_of(lines[0]) == [str(cell) for cell in range(35, 26, -1)]
    assert lines[0].endswith("←")
    assert cells_of(lines[6]) == [str(cell) for cell in range(9)]
    assert lines[6].endswith("→")
    assert lines[7].split() == ["b"] * 9


def test_tab_is_turned_half_round_for_the_second_player():
    first = drawn("tab", GAMES["tab"].start()).splitlines()
    second = drawn("tab", GAMES["tab"].start(), seat=1).splitlines()
    for row in range(4):
        assert cells_of(second[2 * row]) == cells_of(first[2 * (3 - row)])[::-1]
    assert second[7].split() == ["r"] * 9
    assert second[6].endswith("→")


def test_draughts_has_the_own_side_at_the_bottom():
    white = drawn("draughts", GAMES["draughts"].start()).splitlines()
    assert white[7].split() == ["1", "w", "w", "w", "w"]
    assert white[8].split() == list("abcdefgh")
    black = drawn("draughts", GAMES["draughts"].start(), seat=1).splitlines()
    assert black[7].split() == ["8", "b", "b", "b", "b"]
    assert black[8].split() == list("hgfedcba")


def test_every_state_of_a_piece_of_tab_can_be_told_without_colour():
    pieces = {0: "b", 8: "B", 14: "B*", 27: "r", 19: "R", 12: "R*"}
    lines = drawn("tab", tab(pieces)).splitlines()
    signs = {}
    for numbers, row in ((lines[i], lines[i + 1]) for i in (0, 2, 4, 6)):
        for found in re.finditer(r"\d+", numbers):
            signs[int(found[0])] = row[found.start() :][:2].strip()
    assert {cell: sign for cell, sign in signs.items() if sign} == pieces


def test_men_and_kings_can_be_told_without_colour():
    lines = drawn("draughts", draughts("W:W21,K22:B1,K5")).splitlines()
    assert "".join(lines[:8]).translate(str.maketrans("", "", " .12345678")) == "bBwW"


def test_marks_are_brackets_and_styles():
    marks = Marks(choices=frozenset({"7"}), held="8", last=frozenset({"9", "10"}))
    rows = draw("tab", tab({7: "B", 8: "B", 10: "R", 27: "r"}), 0, marks, 60)
    line = plain(rows).splitlines()[5]
    assert line.replace(" ", "") == "(R)()" + "{B}[B]"
    styles = {text: style for row in rows for text, style in row if text in "[{("}
    assert len({styles[bracket] for bracket in "[{("}) == 3


def test_marks_of_draughts_reach_empty_squares():
    marks = Marks(choices=frozenset({"c3"}), last=frozenset({"d4"}))
    text = drawn("draughts", GAMES["draughts"].start(), marks=marks)
    assert "[w]" in text
    assert "(.)" in text


def test_a_number_stands_above_its_piece():
    for columns in (40, 60, 90, 120):
        lines = drawn("tab", GAMES["tab"].start(), columns=columns).splitlines()
        digits = [at for at, sign in enumerate(lines[6]) if sign.isdigit()]
        assert digits == [at for at, sign in enumerate(lines[7]) if sign == "b"]


@pytest.mark.parametrize(("columns", "size"), [(60, 9), (60, 13), (80, 15), (100, 15), (60, 7)])
def test_it_fits(columns, size):
    game = GAMES["tab"]
    text = drawn("tab", game.start(game.options(size=size)), columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    assert max(map(len, drawn("draughts", GAMES["draughts"].start()).splitlines())) <= 60


@pytest.mark.parametrize(
    ("sticks", "said"),
    [
        ([False] * 4, "Sticks:  dark   dark   dark   dark  = 6 (Sitteh), and another throw"),
        ([True, False, False, False], "= 1 (Tab), and another throw"),
        ([True, False, True, False], "Sticks:  light   dark   light   dark  = 2 (Itneyn)"),
        ([True, True, True, False], "= 3 (Telateh)"),
        ([True] * 4, "= 4 (Arba'ah), and another throw"),
    ],
)
def test_sticks_are_shown_with_sides_value_and_name(sticks, said):
    state = tab({3: "B", 24: "r"}, dice={"stickValues": sticks})
    assert drawn("tab", state).splitlines()[-1].strip().endswith(said)


def test_no_throw_is_said():
    assert "Sticks: not thrown" in drawn("tab", GAMES["tab"].start())


ICE = [[1, 2, 3], [4, 0, 5], [6, 7, 8]]
FISH = fish(ICE, [(0, 0)], [(1, 2)], [(2, 1)], penguins=1)


def test_every_other_row_of_fish_is_shifted_by_half_a_tile():
    assert drawn("fish", FISH).splitlines() == [
        "       a     b     c",
        " 0    R1     2     3",
        " 1        4     .    W5",
        " 2     6    B7     8",
        "          a     b     c",
        "",
        " Fish: R red 0   W white 0   B brown 0",
    ]


def test_marks_of_fish():
    marks = Marks(choices=frozenset({"a0"}), last=frozenset({"b1", "b2"}))
    lines = drawn("fish", FISH, marks=marks).splitlines()
    assert [line for line in lines if set("[(") & set(line)] == [
        " 0   [R1]    2     3",
        " 1        4   ( .)   W5",
        " 2     6   (B7)    8",
    ]


def test_who_is_out_has_no_penguins_and_is_named():
    lines = drawn("fish", FISH.remove(1)).splitlines()
    assert lines[2].split() == ["1", "4", ".", "5"]
    assert lines[-1].endswith("W white 0 (out)   B brown 0")


def test_the_name_of_a_tile_can_be_turned_back():
    for row, col in ((0, 0), (14, 14), (3, 11)):
        place = {"row": row, "col": col}
        assert spot(tile(place)) == place


@pytest.mark.parametrize(("columns", "rows", "fish"), [(60, 5, 3), (66, 15, 3), (82, 15, 12)])
def test_large_boards_of_fish_fit(columns, rows, fish):
    game = GAMES["fish"]
    state = game.start(game.options(rows=rows, cols=rows, fish=fish))
    lines = drawn("fish", state, columns=columns).splitlines()
    assert max(map(len, lines)) <= columns
    where = [at for at, sign in enumerate(lines[0]) if sign != " "]
    assert where == [found.end() - 1 for found in re.finditer(r"\d+", lines[1])][1:]


def test_every_kind_is_drawn_with_styles_for_the_names_of_its_colours():
    for kind, game in GAMES.items():
        assert drawn(kind, game.load(_start(game).view()))
        assert set(game.terminal.styles) == set(game.colours)


def _start(game):
    options = game.options()
    return game.start(options, layout=game.deal(options, 2, iter(range(256)).__next__))
