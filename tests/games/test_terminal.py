"""The part of every kind of game that the terminal uses."""

from __future__ import annotations

import re

import pytest

from tabnet.games import GAMES
from tabnet.games.api import Move
from tabnet.games.terminal import MAX_LISTED, Turn, complete_route, list_alternatives
from tests.games.drawing import drawn
from tests.games.test_contract import random_game

every_kind = pytest.mark.parametrize("kind", GAMES)


@every_kind
def test_every_legal_move_can_be_typed(kind):
    game = GAMES[kind]
    for state in random_game(game, seed=1):
        moves = [action for action in state.actions() if isinstance(action, Move)]
        routes = tuple(game.terminal.list_cells(game.dump_move(move)) for move in moves)
        turn = Turn(kind, "notify", routes, selects=game.selects, placing=game.terminal.placing)
        for move, route in zip(moves, routes, strict=True):
            cells = re.findall(game.terminal.cell_pattern, " ".join(route))
            assert tuple(cells) == route
            assert game.parse_move(game.terminal.read_move(cells, turn)) == move


@every_kind
def test_every_ending_has_a_text(kind):
    game = GAMES[kind]
    for seed in range(10):
        *_, last = random_game(game, seed)
        assert last.outcome().reason in game.terminal.endings


def test_single_cell_moves_are_listed_unless_the_kind_has_its_own_order():
    routes = (("1",), ("2",))
    assert Turn("any", "notify", routes).demand == "choose a move: 1, 2"
    assert Turn("any", "notify", routes, placing="put it down").demand == "put it down"


def test_a_long_list_is_cut():
    assert list_alternatives(["1"] * MAX_LISTED).count("1") == MAX_LISTED
    assert (
        list_alternatives(["1"] * (MAX_LISTED + 1))
        == f"{list_alternatives(['1'] * MAX_LISTED)}, ..."
    )


def test_a_unique_beginning_is_completed():
    turn = Turn("any", "notify", (("a1", "b2"), ("a1", "c3"), ("d4", "e5")))
    assert complete_route(["d4"], turn) == ("d4", "e5")
    assert complete_route(["a1", "z9"], turn) == ["a1", "z9"]
    with pytest.raises(ValueError, match="say which: a1 b2, a1 c3"):
        complete_route(["a1"], turn)
    with pytest.raises(ValueError, match="z9 has no legal move; choose a move: "):
        complete_route(["z9"], turn)


@every_kind
def test_every_kind_is_drawn_with_styles_for_the_names_of_its_colours(kind):
    game = GAMES[kind]
    state, *_ = random_game(game, seed=1)
    assert drawn(kind, state)
    assert set(game.terminal.styles) == set(game.colours)
