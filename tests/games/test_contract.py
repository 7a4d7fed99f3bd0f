"""What every kind of game promises of every position: the contract of `tabnet.games.api`."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.resources import files
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.games import GAMES
from tabnet.games.api import Move, Roll


def positions_of(kind):
    """The strategy `positions` of the tests of a kind."""
    positions = import_module(f"tests.games.{kind}.test_properties").positions
    return positions() if callable(positions) else positions


POSITIONS = {kind: positions_of(kind) for kind in GAMES}

every_kind = pytest.mark.parametrize("kind", GAMES)


def in_any_position(check):
    """A check of a game and a position of it, made a test of every kind in many positions."""

    @every_kind
    @settings(max_examples=150)
    @given(data=st.data())
    def test(kind, data):
        check(GAMES[kind], data.draw(POSITIONS[kind]))

    return test


def plies(state):
    """What may follow, with the outcome of a throw that is due."""
    return tuple(roll for roll, _ in state.chances()) or state.actions()


def random_game(game, seed):
    """Every position of a game played at random, the last one among them."""
    luck = Random(seed)
    options, seats = game.options(), luck.choice(game.seats)
    state = game.start(options, seats, game.deal(options, seats, lambda: luck.randrange(256)))
    yield state
    while state.turn is not None:
        state = state.apply(luck.choice(plies(state)))
        yield state


def assert_loads(game, state):
    loaded = game.load(json.loads(json.dumps(state.view())))
    assert loaded == state
    assert hash(loaded) == hash(state)
    assert loaded.view() == state.view()
    assert loaded.actions() == state.actions()


@in_any_position
def test_a_view_is_json_and_load_is_its_inverse(game, state):
    assert_loads(game, state)


@every_kind
def test_every_position_of_a_random_game_loads_from_its_view(kind):
    for seed in range(5):
        for state in random_game(GAMES[kind], seed):
            assert_loads(GAMES[kind], state)


@in_any_position
def test_branches_counts_what_may_follow(game, state):
    follow = plies(state)
    assert state.branches() == len(follow) == len(set(follow))
    assert (state.actions() == (Roll(),)) is bool(state.chances())
    assert (state.turn is None) is (state.outcome() is not None) is (not follow)
    assert set(state.view()) == set(game.view_fields)


@in_any_position
def test_every_ply_leads_elsewhere_and_leaves_the_position_as_it_was(game, state):
    before, view = hash(state), state.view()
    for ply in plies(state):
        assert state.apply(ply) != state
    assert hash(state) == before
    assert state.view() == view


@in_any_position
def test_a_move_is_what_its_fields_say(game, state):
    for move in state.actions():
        if isinstance(move, Move):
            assert game.parse_move(json.loads(json.dumps(game.dump_move(move)))) == move


@in_any_position
def test_who_is_to_act_could_play_what_is_legal_and_at_the_end_nobody_could(game, state):
    for seat in range(game.seats.stop):
        if seat == state.turn:
            assert game.could_play(state, seat) == state.actions()
        elif state.turn is None:
            assert game.could_play(state, seat) == ()


@every_kind
def test_in_every_check_position_seat_0_is_to_act(kind):
    game = GAMES[kind]
    names = [check.name for check in game.check_positions]
    assert len(set(names)) == len(names)
    for check in game.check_positions:
        options = game.options()
        state = check.position(options) if check.position else game.start(options)
        assert state.turn == 0
        assert check.steps
        if check.throws:
            assert state.apply(Roll(check.throws[0])).turn == 0


@every_kind
def test_a_kind_names_its_board_and_fields_that_its_positions_have(kind):
    game = GAMES[kind]
    assert (files("tabnet") / "web" / "boards" / game.board).is_file()
    assert set(game.board_fields) <= set(game.view_fields)
