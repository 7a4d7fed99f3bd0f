"""The contract of `tabnet.games.api`, in positions of every kind of game."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.resources import files
from random import Random

import pytest
from hypothesis import given, settings

from tabnet.games import GAMES
from tabnet.games.api import Move, Roll


def positions_of(kind):
    """The strategy `positions` of the tests of a kind."""
    positions = import_module(f"tests.games.{kind}.test_properties").positions
    return positions() if callable(positions) else positions


every_kind = pytest.mark.parametrize("kind", GAMES)


def in_any_position(check):
    """A check of a game and a position of it, made a test of every kind in many positions."""

    @every_kind
    def test(kind):
        @settings(max_examples=150)
        @given(positions_of(kind))
        def run(state):
            check(GAMES[kind], state)

        run()

    return test


def plies(state):
    """Return the possible next actions, a due throw with its outcomes."""
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
def test_branches_counts_the_possible_plies(game, state):
    follow = plies(state)
    assert state.branches() == len(follow) == len(set(follow))
    assert (state.actions() == (Roll(),)) is bool(state.chances())
    assert (state.turn is None) is (state.outcome() is not None) is (not follow)
    assert set(state.view()) == set(game.view_fields)


@in_any_position
def test_a_ply_leaves_the_position_as_it_was_and_a_move_leads_to_another(game, state):
    before, view = hash(state), state.view()
    for ply in plies(state):
        after = state.apply(ply)
        assert isinstance(ply, Roll) or after != state  # a second throw may equal the first
    assert hash(state) == before
    assert state.view() == view


@in_any_position
def test_parsing_a_dumped_move_returns_the_move(game, state):
    for move in state.actions():
        if isinstance(move, Move):
            assert game.parse_move(json.loads(json.dumps(game.dump_move(move)))) == move


@in_any_position
def test_parsing_a_dumped_throw_leads_to_the_same_position(game, state):
    for roll, _ in state.chances():
        dice = json.loads(json.dumps(game.dump_roll(roll)))
        after = state.apply(roll)
        assert state.apply(game.parse_roll(dice)) == after
        assert after.view()["dice"] == dice


def test_a_throw_is_its_outcome_in_json_unless_a_kind_writes_it_otherwise():
    game = GAMES["draughts"]
    assert game.parse_roll(game.dump_roll(Roll(5))) == Roll(5)


@in_any_position
def test_only_the_player_to_act_can_play_and_nobody_after_the_end(game, state):
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
def test_a_kind_has_a_board_and_names_fields_that_its_positions_have(kind):
    game = GAMES[kind]
    assert (files("tabnet") / "web" / "boards" / kind / "board.js").is_file()
    assert set(game.board_fields) <= set(game.view_fields)


OF_EVERY_UPDATE = {
    *("type", "game", "seq", "kind", "options", "players", "initial", "timing", "strict"),
    *("event", "expects", "draw_offers", "clock", "winner", "result"),
    *("dice_commit", "dice_salt_hashes", "dice_secret", "dice_salts"),
    *("step", "cell", "selected"),
}
"""The fields of updates that do not belong to a kind."""


@every_kind
def test_the_fields_of_a_kind_are_declared_and_do_not_hide_others(kind):
    game = GAMES[kind]
    declared = game.fields
    assert OF_EVERY_UPDATE.isdisjoint(game.view_fields)
    assert {"type", "player"}.isdisjoint(declared.notify)
    assert set(game.dump_options(game.options())) <= set(declared.join)
    assert set(declared.moves) <= set(declared.notify)
    assert set(declared.ranking) == {game.leaderboard_option} - {None} <= set(declared.join)


@in_any_position
def test_a_move_has_declared_fields(game, state):
    for move in state.actions():
        if isinstance(move, Move):
            fields = game.dump_move(move)
            assert set(fields) <= set(game.fields.notify)
            assert not game.selects or set(fields) == {"cell", "to"}


@every_kind
def test_an_outcome_has_points_for_every_seat(kind):
    for seed in range(5):
        first, *_, last = random_game(GAMES[kind], seed)
        outcome = last.outcome()
        assert first.turn == 0
        assert len(outcome.points) in GAMES[kind].seats
        assert set(outcome.winners) <= set(range(len(outcome.points)))
