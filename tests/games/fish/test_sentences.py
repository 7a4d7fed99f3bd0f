"""The sentences about a game of Fish."""

from __future__ import annotations

from tabnet.games.fish import FISH


def position(*scores):
    return {"state": {"players": [{"score": score} for score in scores]}}


def test_a_move_names_its_tiles_and_the_fish_that_it_wins():
    move = {"type": "move", "from": {"row": 0, "col": 0}, "to": {"row": 2, "col": 3}}
    describe = FISH.terminal.describe_move
    assert describe(move, position(3, 5), None) == "played a0 to d2"
    assert describe(move, position(3, 5), position(3, 1)) == "played a0 to d2, for 4 fish"


def test_a_placement_names_its_tile():
    place = {"type": "move", "place": {"row": 4, "col": 1}}
    describe = FISH.terminal.describe_move
    assert describe(place, position(0, 0), position(0, 0)) == "placed a penguin on b4"
