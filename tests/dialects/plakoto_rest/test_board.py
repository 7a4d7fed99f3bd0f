"""The cells of the board, and the ids of the checkers."""

from __future__ import annotations

import pytest
from attrs import evolve

from tabnet.dialects.plakoto_rest.board import (
    CACHED_BOARDS,
    Boards,
    cell_at,
    cells,
    cells_after_move,
    first_stacks,
)
from tabnet.server.core.pairing.lobby import Table
from tests.dialects.plakoto_rest.rest import TERMS, checkers, new_match, play, random_match

IDS = {f"{colour}{number}" for colour in "WB" for number in range(1, 16)}


def points(stacks):
    """Return the points as the view of a position has them."""
    return [
        {
            "owner": {"W": "White", "B": "Black"}[stack[-1][0]],
            "count": sum(piece[0] == stack[-1][0] for piece in stack),
            "pinned": stack[0][0] != stack[-1][0],
        }
        if stack
        else None
        for stack in stacks[1:25]
    ]


def test_the_first_board_has_all_checkers_on_the_first_points():
    board = cells(Boards().stacks(None))
    assert len(board) == 24 * 15
    assert [cell["x"] for cell in board[::15]] == list(range(1, 25))
    assert [cell["b_color"] for cell in board[::15]] == ["B", "W"] * 12
    white, black = [(1, y, f"W{y}") for y in range(1, 16)], [(24, y, f"B{y}") for y in range(1, 16)]
    assert checkers(board) == white + black
    empty = {"x": 7, "y": 3, "b_color": "B", "piece_color": None, "piece": None}
    assert cell_at(first_stacks(), 7, 3) == empty
    assert cells(Boards().stacks(Table("T", TERMS, 0, []))) == board


@pytest.mark.parametrize("seed", range(6))
def test_every_position_of_a_match_has_its_checkers_and_each_id_once(seed):
    boards, before = Boards(), None
    for match in random_match(seed):
        stacks = boards.stacks(match)
        view = match.state.view()
        assert points(stacks) == view["points"]
        assert [len(stacks[25]), len(stacks[0])] == view["off"]
        assert {piece for stack in stacks for piece in stack} == IDS
        places = {piece: point for point, stack in enumerate(stacks) for piece in stack}
        if before is not None:
            assert sum(places[piece] != before[piece] for piece in IDS) == 1
        before = places
        assert stacks == Boards().stacks(match)


def test_a_moved_checker_keeps_its_id_and_its_cell_comes_first():
    match = random_match(1)[1]
    move = match.moments[2].action
    stacks = Boards().stacks(match)
    board = cells_after_move(stacks, move.to)
    assert board[0] == cell_at(stacks, move.to, 1)
    assert board[0]["piece"] == "W15"
    assert [cell for cell in cells(stacks) if cell != board[0]] == board[1:]


def test_a_board_after_bearing_off_begins_with_the_first_point():
    match = next(match for match in reversed(random_match(3)) if match.moments[-1].action)
    stacks = Boards().stacks(match)
    for off in (0, 25):
        if stacks[off]:
            assert cells_after_move(stacks, off) == cells(stacks)


def test_fifteen_checkers_over_a_pinned_one_have_a_sixteenth_cell():
    stacks = first_stacks()
    stacks[5], stacks[1], stacks[24] = ["B15", *stacks[1]], [], stacks[24][:14]
    assert cell_at(stacks, 5, 16)["piece"] == "W15"
    assert cell_at(stacks, 6, 16) is None
    assert len(cells(stacks)) == 24 * 15 + 1
    assert cells_after_move(stacks, 5)[0]["y"] == 16


def test_an_older_value_of_a_match_has_its_own_board():
    boards = Boards()
    earlier, later = random_match(2)[5], random_match(2)[9]
    expected = Boards().stacks(earlier)
    boards.stacks(later)
    assert boards.stacks(earlier) == expected


def test_the_boards_of_the_latest_matches_are_cached():
    boards = Boards()
    match = new_match()
    match = play(match, match.state.actions()[0])
    ids = [f"G{number}" for number in range(CACHED_BOARDS + 2)]
    for id in (*ids, ids[-1], ids[-2]):
        boards.stacks(evolve(match, id=id))
    assert list(boards._latest) == [*ids[2:-2], ids[-1], ids[-2]]
