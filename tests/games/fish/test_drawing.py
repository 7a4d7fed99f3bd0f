"""Fish drawn for a terminal."""

from __future__ import annotations

import re

import pytest

from tabnet.games import GAMES
from tabnet.games.fish.typed_moves import name_tile, parse_tile_name
from tabnet.games.terminal import Marks
from tests.client.positions import fish
from tests.games.drawing import drawn

ICE = [[1, 2, 3], [4, 0, 5], [6, 7, 8]]
FISH = fish(ICE, [(0, 0)], [(1, 2)], [(2, 1)], penguins=1)


def test_odd_rows_are_shifted_by_half_a_tile():
    assert drawn("fish", FISH).splitlines() == [
        "       a     b     c",
        " 0    R1     2     3",
        " 1        4     .    W5",
        " 2     6    B7     8",
        "          a     b     c",
        "",
        " Fish: R red 0   W white 0   B brown 0",
    ]


def test_tiles_can_be_marked():
    marks = Marks(choices=frozenset({"a0"}), last=frozenset({"b1", "b2"}))
    lines = drawn("fish", FISH, marks=marks).splitlines()
    assert [line for line in lines if set("[(") & set(line)] == [
        " 0   [R1]    2     3",
        " 1        4   ( .)   W5",
        " 2     6   (B7)    8",
    ]


def test_a_player_who_is_out_is_listed_without_penguins():
    lines = drawn("fish", FISH.remove(1)).splitlines()
    assert lines[2].split() == ["1", "4", ".", "5"]
    assert lines[-1].endswith("W white 0 (out)   B brown 0")


def test_reading_the_name_of_a_tile_returns_the_tile():
    for row, col in ((0, 0), (14, 14), (3, 11)):
        place = {"row": row, "col": col}
        assert parse_tile_name(name_tile(place)) == place


@pytest.mark.parametrize(("columns", "rows", "fish"), [(60, 5, 3), (66, 15, 3), (82, 15, 12)])
def test_large_boards_fit_the_terminal(columns, rows, fish):
    game = GAMES["fish"]
    state = game.start(game.options(rows=rows, cols=rows, fish=fish))
    lines = drawn("fish", state, columns=columns).splitlines()
    assert max(map(len, lines)) <= columns
    where = [at for at, sign in enumerate(lines[0]) if sign != " "]
    assert where == [found.end() - 1 for found in re.finditer(r"\d+", lines[1])][1:]
