"""The rules of Nim, its refusals and its texts."""

from __future__ import annotations

import pytest
from tabnet.games.nim import NIM, NimState, Take

from tabnet.errors import IllegalMove, InvalidMove, InvalidOptions, InvalidPosition
from tabnet.games.api import Pass, Roll
from tabnet.games.perft import perft
from tabnet.games.terminal import Turn

THROWN = NimState(5, 0, 3)


@pytest.mark.parametrize(
    ("state", "action", "code"),
    [
        (NimState(5), Take(1), "must_roll"),
        (THROWN, Roll(1), "must_move"),
        (THROWN, Pass(), "must_move"),
        (THROWN, Take(4), "too_many"),
        (NimState(2, 0, 6), Take(3), "too_many"),
        (NimState(0, None, won=1), Roll(1), "game_over"),
    ],
)
def test_illegal_moves_are_refused(state, action, code):
    with pytest.raises(IllegalMove) as caught:
        state.apply(action)
    assert caught.value.code == code


def test_the_last_stone_wins():
    assert THROWN.apply(Take(2)) == NimState(3, 1)
    assert NimState(3, 1, 3).apply(Take(3)).outcome().winners == (1,)


def test_the_tree_has_the_size_counted_by_hand():
    assert [perft(NimState(2), depth) for depth in (1, 2, 3)] == [6, 11, 36]


@pytest.mark.parametrize("outcome", [None, 0, 7])
def test_a_throw_is_one_side_of_the_die(outcome):
    with pytest.raises(InvalidMove):
        NimState(5).apply(Roll(outcome))


@pytest.mark.parametrize("stones", [0, 41, "5", True])
def test_the_heap_is_limited(stones):
    with pytest.raises(InvalidOptions):
        NIM.make_options({"stones": stones})


@pytest.mark.parametrize("fields", [{}, {"take": 0}, {"take": "1"}, {"take": 1, "cell": 1}])
def test_invalid_move_fields_are_refused(fields):
    with pytest.raises(InvalidMove):
        NIM.parse_move(fields)


@pytest.mark.parametrize(
    "view", [{"stones": 0}, {"stones": -1}, {"stones": 5, "turn": None}, {"stones": 5, "dice": 7}]
)
def test_impossible_positions_are_refused(view):
    with pytest.raises(InvalidPosition):
        NIM.load(view)


def test_a_player_reads_and_types_numbers():
    assert NIM.terminal.describe_move({"take": 2}, {}, None) == "took 2"
    assert str(THROWN) == "5 stones, die: 3"
    with pytest.raises(ValueError, match="a move is a number"):
        NIM.terminal.read_move(["c3"], Turn("nim", "notify", (("1",),)))
