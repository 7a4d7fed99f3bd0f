"""The sentences about a game of draughts."""

from __future__ import annotations

import pytest

from tabnet.games.draughts import DRAUGHTS

MOVE = {"type": "move", "route": ["c3", "e5", "g7"]}


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (None, "played c3 to e5 to g7"),
        ("w000", "played c3 to e5 to g7"),
        ("wb00", "played c3 to e5 to g7, a capture"),
        ("wbb0", "played c3 to e5 to g7, 2 captures"),
    ],
)
def test_a_move_names_its_squares_and_counts_captures(before, text):
    position = before and {"board": before}
    assert DRAUGHTS.terminal.describe_move(MOVE, {"board": "000w"}, position) == text
