"""The parser of typed lines."""

from __future__ import annotations

import re

import pytest

from tabnet.client.terminal.input_parser import (
    TypedCommand,
    complete_line,
    find_board_marks,
    find_legal_turn,
    parse_line,
)
from tabnet.games import GAMES
from tabnet.games.terminal import list_alternatives
from tests.client.positions import draughts, fish, snapshot, tab
from tests.games.plakoto.naive import naive_of

START = snapshot("draughts", GAMES["draughts"].start())
ROLL = find_legal_turn(snapshot("tab", GAMES["tab"].start()))
DRAUGHTS = find_legal_turn(START)
JUMPS = find_legal_turn(snapshot("draughts", draughts("W:WK7:B10,11,18,19")))
ONE = find_legal_turn(snapshot("draughts", draughts("W:W21:B1")))

FORK = tab({6: "b", 12: "B", 19: "B", 27: "r"}, dice={"value": 3})
PIECES = find_legal_turn(snapshot("tab", FORK))
HELD = find_legal_turn(snapshot("tab", FORK, step="to", cell=19, selected=[8, 22]))
ICE = [[1, 2, 3], [4, 0, 5], [6, 7, 8]]
PLACING = find_legal_turn(snapshot("fish", fish(ICE, [], [], penguins=1)))
SLIDING = find_legal_turn(snapshot("fish", fish(ICE, [(0, 0)], [(2, 1)], penguins=1)))
HOME = {
    seat: find_legal_turn(snapshot("plakoto", GAMES["plakoto"].load(naive_of(*home).view())))
    for seat, home in enumerate([("W20:2 W24:1 B1:3", 0, (6, 5)), ("B3:1 B5:2 W24:3", 1, (6, 5))])
}
PASS = find_legal_turn(snapshot("tab", tab({0: "b", 27: "r"}, dice={"value": 2})))


@pytest.mark.parametrize(
    ("line", "turn", "message"),
    [
        ("", ROLL, TypedCommand("roll")),
        ("r", ROLL, TypedCommand("roll")),
        (" ROLL ", PASS, TypedCommand("roll")),
        ("", PASS, TypedCommand("pass")),
        ("", ONE, TypedCommand("notify", {"route": ["a3", "b4"]})),
        ("12", PIECES, TypedCommand("notify", {"cell": 12})),
        ("5", PIECES, TypedCommand("notify", {"cell": 5})),
        ("19 22", PIECES, TypedCommand("notify", {"cell": 19, "to": 22})),
        ("22", HELD, TypedCommand("notify", {"cell": 22})),
        ("19", HELD, TypedCommand("notify", {"cell": 19})),
        ("c3 d4", DRAUGHTS, TypedCommand("notify", {"route": ["c3", "d4"]})),
        ("C3d4", DRAUGHTS, TypedCommand("notify", {"route": ["c3", "d4"]})),
        ("a3", DRAUGHTS, TypedCommand("notify", {"route": ["a3", "b4"]})),
        ("c3-e5", DRAUGHTS, TypedCommand("notify", {"route": ["c3", "e5"]})),
        ("b2", PLACING, TypedCommand("notify", {"place": {"row": 2, "col": 1}})),
        ("o14", PLACING, TypedCommand("notify", {"place": {"row": 14, "col": 14}})),
        (
            "a0 a2",
            SLIDING,
            TypedCommand("notify", {"from": {"row": 0, "col": 0}, "to": {"row": 2, "col": 0}}),
        ),
        (
            "b2 c0",
            SLIDING,
            TypedCommand("notify", {"from": {"row": 2, "col": 1}, "to": {"row": 0, "col": 2}}),
        ),
        ("20 off", HOME[0], TypedCommand("notify", {"from": 20, "to": 25})),
        ("20", HOME[0], TypedCommand("notify", {"from": 20, "to": 25})),
        ("20 25", HOME[0], TypedCommand("notify", {"from": 20, "to": 25})),
        ("5off", HOME[1], TypedCommand("notify", {"from": 5, "to": 0})),
        ("20 21", HOME[0], TypedCommand("notify", {"from": 20, "to": 21})),
        ("q", None, TypedCommand("quit")),
        ("b", DRAUGHTS, TypedCommand("board")),
    ],
)
def test_valid_lines_are_parsed(line, turn, message):
    assert parse_line(line, turn) == message


@pytest.mark.parametrize(
    ("line", "turn", "why"),
    [
        ("", None, "it is not your turn"),
        ("8", None, "it is not your turn"),
        ("", PIECES, "Enter alone is not enough: there are 3 legal moves"),
        ("hop", PIECES, "'hop' is not a word or a cell; choose a piece: 12, 19"),
        ("1 2 3", PIECES, "a cell is a number; choose a piece"),
        ("c3", PIECES, "a cell is a number"),
        ("12", DRAUGHTS, "a square is written like c3; choose a move: "),
        ("c3", DRAUGHTS, "say which: c3 b4, c3 d4"),
        ("a1", DRAUGHTS, "a1 has no legal move; choose a move: "),
        ("c3 z9", DRAUGHTS, "'c3 z9' is not a word"),
        ("a0", SLIDING, "say which: a0 a1, a0 a2"),
        ("b2", SLIDING, "b2 has no legal move; choose a move: "),
        ("3", HOME[1], "3 has no legal move; choose a move: 5 off"),
        ("off", HOME[0], "a point is a number; choose a move: 20 off"),
        ("20 c3", HOME[0], "a point is a number; choose a move: 20 off"),
        ("3", PLACING, "a tile is written like c3; choose a place for a new piece"),
        ("a0 a1 a2", SLIDING, "a tile is written like c3; choose a move: "),
    ],
)
def test_invalid_lines_are_explained(line, turn, why):
    with pytest.raises(ValueError, match=f"^{re.escape(why)}"):
        parse_line(line, turn)


def test_the_prompt_names_the_expected_input():
    assert ROLL.demand == "roll"
    assert PASS.demand == "there is no move: pass"
    assert PIECES.demand == "choose a piece: 12, 19"
    assert HELD.demand == "19 goes to 8 or 22; 19 again lets it go"
    assert JUMPS.demand == "choose a move: e7 c5 e3 g5 e7, e7 g5 e3 c5 e7"
    assert [turn.has_one_answer for turn in (ROLL, PASS, ONE, PIECES, HELD)] == [
        *(True, True, True, False, False)
    ]


def test_no_tile_is_marked_during_placement():
    update = snapshot("fish", fish(ICE, [], [], penguins=1))
    assert find_board_marks(update, PLACING).choices == set()
    place = {"type": "move", "player": "ann", "place": {"row": 2, "col": 1}}
    update = snapshot("fish", fish(ICE, [(2, 1)], [], penguins=1), event=place)
    assert find_board_marks(update, None).last == {"b2"}
    assert find_board_marks(update, SLIDING).choices == {"a0"}


def test_a_finished_game_has_no_turn():
    assert find_legal_turn(snapshot("tab", FORK, winner="ann")) is None


def test_playable_cells_are_marked():
    moved = snapshot("tab", FORK, event={"type": "move", "player": "bob", "cell": 27, "to": 26})
    marks = find_board_marks(moved, PIECES)
    assert (marks.choices, marks.held, marks.last) == ({"12", "19"}, None, {"27", "26"})
    marks = find_board_marks(START, None)
    assert (marks.choices, marks.held, marks.last) == (set(), None, set())
    held = snapshot("tab", FORK, event={"type": "select", "player": "ann"})
    marks = find_board_marks(held, HELD)
    assert (marks.choices, marks.held, marks.last) == ({"8", "22"}, "19", set())


@pytest.mark.parametrize(
    ("typed", "turn", "becomes"),
    [
        ("r", ROLL, "roll"),
        ("1", PIECES, "1"),
        ("12", PIECES, "12"),
        ("2", HELD, "22"),
        ("a", DRAUGHTS, "a3 b4"),
        ("c3", DRAUGHTS, "c3 "),
        ("c3d", DRAUGHTS, "c3 d4"),
        ("zz", DRAUGHTS, "zz"),
        ("h", None, "help"),
    ],
)
def test_a_beginning_is_completed(typed, turn, becomes):
    assert complete_line(typed, turn)[0] == becomes


def test_an_ambiguous_beginning_lists_the_possibilities():
    assert complete_line("1", PIECES)[1] == ["12", "19"]
    assert complete_line("c3 ", DRAUGHTS)[1] == ["c3 b4", "c3 d4"]
    assert complete_line("zz", DRAUGHTS)[1] == []
    assert "quit" in complete_line("", None)[1]


def test_long_lists_are_cut():
    assert list_alternatives(["a", "b"]) == "a, b"
    assert list_alternatives(list("abcdefghijklmnop")) == "a, b, c, d, e, f, g, h, i, j, k, l, ..."
