"""The bot that searches finds what a search without any cleverness finds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tabnet.client import bot_file
from tabnet.games import GAMES
from tabnet.games.api import Roll
from tabnet.games.fish import Slide, Spot
from tabnet.games.fish.board import find_nearest_cells
from tabnet.games.plakoto import PlakotoMove
from tests.bots.heap import Heap, Take
from tests.bots.positions import choices, positions

pytestmark = pytest.mark.slow

PATH = Path(__file__).parents[2] / "bots" / "expectimax.py"
expectimax = bot_file._execute_bot_file(bot_file.BotSource(PATH, ""))


def naive(state, seat, depth):
    """Return the value of a position for a seat, by full search."""
    if state.turn is None:
        return expectimax.final(state, seat, depth)
    sign = 1 if state.turn == seat else -1
    if not expectimax.goes_on(state, depth):
        return expectimax.evaluation(state, seat)
    if state.chances():
        thrown = [(state.apply(roll), weight) for roll, weight in state.chances()]
        return sum(
            weight * naive(after, seat, depth - bool(after.chances())) for after, weight in thrown
        ) / sum(weight for _, weight in thrown)
    values = [sign * naive(state.apply(action), seat, depth - 1) for action in state.actions()]
    return sign * max(values)


@pytest.mark.parametrize(
    ("kind", "depth", "most"),
    [("tab", 2, 12), ("draughts", 3, 12), ("fish", 2, 12), ("plakoto", 2, 4)],
)
def test_pruned_branches_do_not_change_the_choice(kind, depth, most):
    for state in positions(kind, most):
        bot = expectimax.Expectimax(depth)
        bot.new_game(random.Random(1))
        chosen = bot.choose(state, state.actions(), 1e6)
        values = {move: naive(state.apply(move), state.turn, depth - 1) for move in state.actions()}
        assert values[chosen] == pytest.approx(max(values.values()))


def test_a_returned_bound_encloses_the_exact_value():
    for state in positions("tab", 6):
        exact = naive(state, state.turn, 2)
        for alpha, beta in [(-0.2, 0.0), (0.0, 0.2), (exact - 0.01, exact + 0.01)]:
            bot = expectimax.Expectimax()
            bot.seat = state.turn
            bot.deadline = float("inf")
            value = bot.value(state, 2, alpha, beta)
            if value <= alpha:
                assert exact <= value + 1e-9
            elif value >= beta:
                assert exact >= value - 1e-9
            else:
                assert value == pytest.approx(exact)


@pytest.mark.parametrize("kind", GAMES)
def test_expectimax_plays_without_thinking_time(kind):
    bot = expectimax.Expectimax(50)
    bot.new_game(random.Random(1))
    for state in positions(kind, 2):
        assert bot.choose(state, state.actions(), 0.2) in state.actions()


@pytest.mark.parametrize(("heap", "takes"), [(7, 1), (8, 2)])
def test_expectimax_sees_the_end_of_an_unknown_kind(heap, takes):
    state = Heap(heap)
    bot = expectimax.Expectimax(8)
    bot.new_game(random.Random(1))
    assert bot.choose(state, state.actions(), 1e6) == Take(takes)


@pytest.mark.parametrize(("heap", "wins"), [(2, True), (5, False)])
def test_two_opponents_count_as_one_side(heap, wins):
    bot = expectimax.Expectimax()
    bot.deadline = float("inf")
    value = bot.value(Heap(heap, seats=3), 8, -1.0, 1.0)
    assert abs(value) >= expectimax.WON
    assert (value > 0) == wins


def test_expectimax_delays_a_defeat_against_two_opponents():
    state = Heap(4, seats=3, side=1)
    bot = expectimax.Expectimax(8)
    bot.new_game(random.Random(1))
    assert bot.choose(state, state.actions(), 1e6) == Take(1)


def test_a_shared_victory_is_worth_nothing_yet_better_than_a_defeat():
    shared, lost = Heap(0, 3, winners=(1, 2)), Heap(0, 3, winners=(0,))
    assert [expectimax.final(state, 1, 3) for state in (shared, lost)] == [0, -0.93]
    assert expectimax.final(shared, 0, 3) == -0.93


def test_a_threat_counts_for_the_chance_of_its_throw():
    blue, red = 2, 6  # pieces in motion
    board = bytes(7) + bytes([blue, red, blue, red]) + bytes(17)  # two ones and a three; a one
    assert expectimax.threats(board, 0, last_row_open=True) == (4 + 4 + 4) / 16
    assert expectimax.threats(board, 1, last_row_open=True) == 4 / 16


def first_comers(state):
    """For each free tile, the seats whose penguins are the fewest steps away, by walking there."""
    rows, cols, board = state.sea.rows, state.sea.cols, state.board
    far = {}
    for seat, penguins in enumerate(state.places):
        reached, front = set(), set(penguins)
        for steps in range(1, len(board)):
            near = {cell for start in front for cell in find_nearest_cells(rows, cols, start)}
            front = {cell for cell in near - reached if 0 < board[cell] < 128}
            reached |= front
            for cell in front:
                far.setdefault(cell, {})[seat] = steps
    return {
        cell: {seat for seat in steps if steps[seat] == min(steps.values())}
        for cell, steps in far.items()
    }


@pytest.mark.parametrize("seats", [2, 3])
def test_a_tile_belongs_to_the_nearest_player_and_blocked_penguins_do_not_count(seats):
    rows, cols = 5, 5
    for state in choices("fish", random.Random(4), seats):
        seat = state.turn
        whose = first_comers(state)
        expected = [set(), set()]
        for cell, comers in whose.items():
            if comers == {seat}:
                expected[0].add(cell)
            elif seat not in comers:
                expected[1].add(cell)
        for each, penguins in enumerate(state.places):
            for cell in penguins:
                if any(
                    0 < state.board[near] < 128 for near in find_nearest_cells(rows, cols, cell)
                ):
                    expected[each != seat].add(cell)
        for tiles, cells in zip(expectimax.territories(state, seat), expected, strict=True):
            assert {cell for cell in range(25) if tiles >> 24 - cell & 1} == cells
            fish = sum(state.board[cell] % 128 for cell in cells)
            assert expectimax.fish_on(tiles, state.board) == fish


def chosen(state, depth=2):
    """Return the bot's move in a position."""
    bot = expectimax.Expectimax(depth)
    bot.new_game(random.Random(1))
    return bot.choose(state, state.actions(), 1e6)


@pytest.mark.parametrize("depth", [1, 2, 6])
def test_a_penguin_blocks_the_way_to_the_best_tiles(depth):
    # A column of ice: from each row one slides to the next, or over two rows.
    board = [[fish] for fish in (5, 5, 5, 5, 1, 1, 5, 5)]
    red = {"color": "red", "score": 0, "places": [{"row": 4, "col": 0}]}
    white = {"color": "white", "score": 0, "places": [{"row": 6, "col": 0}]}
    state = GAMES["fish"].load({"state": {"board": board, "players": [red, white]}})
    assert chosen(state, depth) == Slide(Spot(4, 0), Spot(5, 0))


def thrown(points, dice, seat=0):
    """Return a position of Plakoto from point -> (owner, count) or (.., pinned), and a throw."""
    listed = [None] * 24
    for point, (owner, count, *pinned) in points.items():
        listed[point - 1] = {"owner": owner, "count": count, "pinned": bool(pinned)}
    return GAMES["plakoto"].load({"points": listed, "turn": seat}).apply(Roll(dice))


@pytest.mark.parametrize("depth", [1, 2])
def test_expectimax_pins_the_mother_at_once(depth):
    state = thrown({12: ("White", 8), 21: ("White", 7), 24: ("Black", 1), 5: ("Black", 14)}, (3, 1))
    move = chosen(state, depth)
    assert move == PlakotoMove(21, 24)
    assert state.apply(move).outcome().points == (2, 0)


@pytest.mark.parametrize("depth", [1, 2])
def test_expectimax_protects_checkers_in_danger(depth):
    points = {6: ("White", 1), 8: ("White", 1), 20: ("White", 13), 13: ("Black", 15)}
    first = thrown(points, (2, 1))
    one = chosen(first, depth)
    two = chosen(first.apply(one), depth)
    assert {one, two} == {PlakotoMove(6, 8), PlakotoMove(20, 21)}


def test_pinned_and_endangered_checkers_lower_the_value_and_closed_points_raise_it():
    safe = {10: ("White", 2), 20: ("White", 13), 9: ("Black", 15)}
    danger = {10: ("White", 1), 11: ("White", 1), 20: ("White", 13), 12: ("Black", 15)}
    caught = {10: ("Black", 1, True), 20: ("White", 14), 9: ("Black", 14)}
    pips = 200 + 13 * 5 - 20  # for everybody; what stands on 20, which is closed
    burdens = [expectimax.burden(thrown(points, (2, 1)).board) for points in (safe, danger, caught)]
    assert burdens == pytest.approx(
        [
            pips + 2 * 15 - 20,
            pips + 15 + 14 + 0.4 * 4 * (15 * 12 / 36 + 14 * 11 / 36),
            pips + 5 + 15 + 4 * 15,
        ]
    )


def test_the_mother_is_worth_more_than_another_checker():
    mother = {1: ("White", 1), 20: ("White", 14), 3: ("Black", 15)}
    board = thrown(mother, (2, 1)).board
    pips = 200 + 24 + 14 * 5 - 20
    assert expectimax.burden(board) == pytest.approx(pips + 0.4 * (4 * 24 + 150) * 12 / 36)


def test_a_single_win_is_worth_half_a_double_one_and_exceeds_any_estimate():
    board = {24: ("White", 1)}
    single = thrown(board | {1: ("Black", 14)}, (6, 6)).apply(PlakotoMove(24, 25))
    double = thrown(board | {1: ("Black", 15)}, (6, 6)).apply(PlakotoMove(24, 25))
    assert [state.outcome().points for state in (single, double)] == [(1, 0), (2, 0)]
    assert [expectimax.final(state, 0, 0) for state in (single, double)] == [0.45, 0.9]
    assert [expectimax.final(state, 1, 0) for state in (single, double)] == [-0.45, -0.9]
    pins = dict.fromkeys((20, 21, 22, 23), ("White", 1, True))
    hopeful = thrown(pins | {19: ("Black", 11)}, (6, 5))
    assert 0.3 < expectimax.evaluation(hopeful, 0) < 0.45


def test_the_owner_of_a_penguin_is_part_of_the_identity():
    board = [[1, 1, 1, 1, 1]] * 3
    places = {"red": [{"row": 0, "col": 0}], "white": [{"row": 2, "col": 2}]}
    identities = {
        expectimax.identity(GAMES["fish"].load({"state": {"board": board, "players": players}}))
        for players in (
            [
                {"color": colour, "score": 0, "places": places[owner]}
                for colour, owner in zip(("red", "white"), owners, strict=True)
            ]
            for owners in (("red", "white"), ("white", "red"))
        )
    }
    assert len(identities) == 2


def test_the_fish_of_all_opponents_count_together():
    board = [[1, 0, 0, 0, 0]]
    players = [
        {"color": colour, "score": score, "places": []}
        for colour, score in (("red", 9), ("white", 2), ("brown", 3))
    ]
    state = GAMES["fish"].load({"state": {"board": board, "players": players}, "penguins": 1})
    assert expectimax.fish_strengths(state, 0) == (10, 6)
