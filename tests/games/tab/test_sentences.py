"""The sentences about a game of Tab."""

from __future__ import annotations

from tabnet.games.tab import TAB

MOVE = {"type": "move", "cell": 8, "to": 9}


def test_a_move_names_its_cells_and_a_capture():
    before = {"pieces": [{"color": "Blue"}, {"color": "Red"}, None]}
    after = {"pieces": [None, {"color": "Blue"}, None]}
    describe = TAB.terminal.describe_move
    assert describe(MOVE, after, None) == "played 8 to 9"
    assert describe(MOVE, before, before) == "played 8 to 9"
    assert describe(MOVE, after, before) == "played 8 to 9, a capture"


def test_a_throw_has_its_name_and_its_sticks():
    dice = {"stickValues": [True, False, False, False], "value": 1, "keepPlaying": True}
    assert TAB.terminal.describe_roll(dice) == "1 (Tab): light dark dark dark"
    assert TAB.terminal.describe_roll(None) == "the dice"
