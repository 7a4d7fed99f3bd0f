"""The sentences about a game of Plakoto."""

from __future__ import annotations

from tabnet.games.plakoto import PLAKOTO


def position(*pinned):
    return {"points": [None, *({"pinned": each} for each in pinned)]}


def test_a_move_names_its_points_and_a_pin():
    describe = PLAKOTO.terminal.describe_move
    move = {"type": "move", "from": 3, "to": 8}
    assert describe(move, position(True), None) == "played 3 to 8"
    assert describe(move, position(True), position(True)) == "played 3 to 8"
    assert describe(move, position(True), position(False)) == "played 3 to 8, a pin"
    assert describe(move | {"to": 25}, position(), position()) == "played 3 to off"


def test_a_throw_is_two_dice():
    assert PLAKOTO.terminal.describe_roll([3, 3, 3, 3]) == "3 and 3"
    assert PLAKOTO.terminal.describe_roll(None) == "the dice"
