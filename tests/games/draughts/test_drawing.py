"""Draughts drawn for a terminal."""

from __future__ import annotations

from tabnet.games import GAMES
from tabnet.games.terminal import Marks
from tests.client.positions import draughts
from tests.games.drawing import drawn


def test_draughts_has_the_own_side_at_the_bottom():
    white = drawn("draughts", GAMES["draughts"].start()).splitlines()
    assert white[7].split() == ["1", "w", "w", "w", "w"]
    assert white[8].split() == list("abcdefgh")
    black = drawn("draughts", GAMES["draughts"].start(), seat=1).splitlines()
    assert black[7].split() == ["8", "b", "b", "b", "b"]
    assert black[8].split() == list("hgfedcba")


def test_men_and_kings_can_be_told_without_colour():
    lines = drawn("draughts", draughts("W:W21,K22:B1,K5")).splitlines()
    assert "".join(lines[:8]).translate(str.maketrans("", "", " .12345678")) == "bBwW"


def test_marks_of_draughts_reach_empty_squares():
    marks = Marks(choices=frozenset({"c3"}), last=frozenset({"d4"}))
    text = drawn("draughts", GAMES["draughts"].start(), marks=marks)
    assert "[w]" in text
    assert "(.)" in text


def test_it_fits():
    lines = drawn("draughts", GAMES["draughts"].start()).splitlines()
    assert max(map(len, lines)) <= 60
