"""`tabnet bench rules`: that it measures, not what it measures."""

from __future__ import annotations

import random

import pytest

from tabnet.bench.rules import (
    LONGEST,
    measure_perft,
    measure_playouts,
    play_random_game,
    start_first_game,
)
from tabnet.cli import main
from tabnet.games import GAMES


def test_the_report_has_a_line_for_every_kind(capsys):
    assert main(["bench", "rules", "--seconds", "0.05"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert "playouts/s" in heading
    assert [line.split()[0] for line in lines] == list(GAMES)
    for line in lines:
        assert min(map(float, line.split()[1:])) > 0


@pytest.mark.parametrize("kind", GAMES)
def test_a_playout_ends_the_game(kind):
    game = GAMES[kind]
    lengths = [
        play_random_game(start_first_game(game, luck), luck)
        for luck in map(random.Random, range(5))
    ]
    assert all(1 < length <= LONGEST for length in lengths)
    assert len(set(lengths)) > 1


@pytest.mark.parametrize("kind", GAMES)
def test_a_speed_is_a_count_divided_by_time(kind):
    speed = measure_playouts(GAMES[kind], 0)
    assert speed.playouts == 1
    assert speed.actions <= LONGEST
    depth, leaves = measure_perft(GAMES[kind], 0)
    assert depth == 1
    assert leaves > 0


def test_an_endless_game_is_stopped(monkeypatch):
    monkeypatch.setattr("tabnet.bench.rules.LONGEST", 7)
    assert play_random_game(GAMES["draughts"].start(), random.Random(1)) == 7
