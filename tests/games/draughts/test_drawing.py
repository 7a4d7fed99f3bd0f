"""Draughts drawn for a terminal."""

from __future__ import annotations

from tabnet.games import GAMES
from tabnet.games.terminal import Marks
from tests.client.positions import draughts
from tests.games.drawing import drawn


def test_the_viewing_player_is_at_the_bottom():
    white = drawn("draughts", GAMES["draughts"].start()).splitlines()
    assert white[7].split() == ["1", "w", "w", "w", "w"]
    assert white[8].split() == list("abcdefgh")
    black = drawn("draughts", GAMES["draughts"].start(), seat=1).splitlines()
    assert black[7].split() == ["8", "b", "b", "b", "b"]
    assert black[8].split() == list("hgfedcba")


def test_men_and_kings_differ_without_colour():
    lines = drawn("draughts", draughts("W:W21,K22:B1,K5")).splitlines()
    assert "".join(lines[:8]).translate(str.maketrans("", "", " .12345678")) == "bBwW"


def test_empty_squares_can_be_marked():
    marks = Marks(choices=frozenset({"c3"}), last=frozenset({"d4"}))
    text = drawn("draughts", GAMES["draughts"].start(), marks=marks)
    assert "[w]" in text
    assert "(.)" in text


def test_the_drawing_fits_the_terminal():
    lines = drawn("draughts", GAMES["draughts"].start()).splitlines()
    assert max(map(len, lines)) <= 60
