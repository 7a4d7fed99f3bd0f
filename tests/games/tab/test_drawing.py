"""Tab drawn for a terminal."""

from __future__ import annotations

import re

import pytest

from tabnet.client.safe_text import format_plain_rows
from tabnet.games import GAMES
from tabnet.games.terminal import Marks
from tests.client.positions import tab
from tests.games.drawing import draw, drawn, list_cells


def test_the_home_row_of_the_first_player_is_at_the_bottom():
    lines = drawn("tab", GAMES["tab"].start()).splitlines()
    assert list_cells(lines[0]) == [str(cell) for cell in range(35, 26, -1)]
    assert lines[0].endswith("←")
    assert list_cells(lines[6]) == [str(cell) for cell in range(9)]
    assert lines[6].endswith("→")
    assert lines[7].split() == ["b"] * 9


def test_the_board_is_turned_half_round_for_the_second_player():
    first = drawn("tab", GAMES["tab"].start()).splitlines()
    second = drawn("tab", GAMES["tab"].start(), seat=1).splitlines()
    for row in range(4):
        assert list_cells(second[2 * row]) == list_cells(first[2 * (3 - row)])[::-1]
    assert second[7].split() == ["r"] * 9
    assert second[6].endswith("→")


def test_all_states_of_a_piece_differ_without_colour():
    pieces = {0: "b", 8: "B", 14: "B*", 27: "r", 19: "R", 12: "R*"}
    lines = drawn("tab", tab(pieces)).splitlines()
    signs = {}
    for numbers, row in ((lines[i], lines[i + 1]) for i in (0, 2, 4, 6)):
        for found in re.finditer(r"\d+", numbers):
            signs[int(found[0])] = row[found.start() :][:2].strip()
    assert {cell: sign for cell, sign in signs.items() if sign} == pieces


def test_marks_are_brackets_and_styles():
    marks = Marks(choices=frozenset({"7"}), held="8", last=frozenset({"9", "10"}))
    rows = draw("tab", tab({7: "B", 8: "B", 10: "R", 27: "r"}), 0, marks, 60)
    line = format_plain_rows(rows).splitlines()[5]
    assert line.replace(" ", "") == "(R)()" + "{B}[B]"
    styles = {text: style for row in rows for text, style in row if text in "[{("}
    assert len({styles[bracket] for bracket in "[{("}) == 3


def test_a_number_stands_above_its_piece():
    for columns in (40, 60, 90, 120):
        lines = drawn("tab", GAMES["tab"].start(), columns=columns).splitlines()
        digits = [at for at, sign in enumerate(lines[6]) if sign.isdigit()]
        assert digits == [at for at, sign in enumerate(lines[7]) if sign == "b"]


@pytest.mark.parametrize(("columns", "size"), [(60, 9), (60, 13), (80, 15), (100, 15), (60, 7)])
def test_the_drawing_fits_the_terminal(columns, size):
    game = GAMES["tab"]
    text = drawn("tab", game.start(game.options(size=size)), columns=columns)
    assert max(map(len, text.splitlines())) <= columns


@pytest.mark.parametrize(
    ("sticks", "message"),
    [
        ([False] * 4, "Sticks:  dark   dark   dark   dark  = 6 (Sitteh), and another throw"),
        ([True, False, False, False], "= 1 (Tab), and another throw"),
        ([True, False, True, False], "Sticks:  light   dark   light   dark  = 2 (Itneyn)"),
        ([True, True, True, False], "= 3 (Telateh)"),
        ([True] * 4, "= 4 (Arba'ah), and another throw"),
    ],
)
def test_sticks_are_shown_with_sides_value_and_name(sticks, message):
    state = tab({3: "B", 24: "r"}, dice={"stickValues": sticks})
    assert drawn("tab", state).splitlines()[-1].strip().endswith(message)


def test_a_missing_throw_has_a_text():
    assert "Sticks: not thrown" in drawn("tab", GAMES["tab"].start())
