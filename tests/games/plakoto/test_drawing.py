"""Plakoto drawn for a terminal."""

from __future__ import annotations

from tabnet.games import GAMES
from tests.games.drawing import drawn
from tests.games.plakoto.naive import naive_of

STATE = GAMES["plakoto"].load(naive_of("W1:3 W8:2* W24:10 B6:13 B13:1", 0, (6, 5)).view())


def test_points_show_owner_count_and_pins():
    lines = drawn("plakoto", STATE).splitlines()
    assert lines[0].split() == [str(point) for point in range(13, 25)]
    assert lines[1].split() == ["1B", *["."] * 10, "10W"]
    assert lines[3].split() == [*["."] * 4, "2W*", ".", "13B", *["."] * 4, "3W"]
    assert lines[4].split() == [str(point) for point in range(12, 0, -1)]
    assert lines[-1].split("Off:")[0].split() == ["Dice:", "6", "5"]


def test_the_second_player_sees_the_board_turned_half_round():
    first, second = (drawn("plakoto", STATE, seat).splitlines() for seat in (0, 1))
    assert second[0].split() == first[4].split()[::-1]
    assert second[3].split() == first[1].split()[::-1]
