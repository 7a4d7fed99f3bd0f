"""The bot that searches finds what a search without any cleverness finds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tabnet.client import botfile
from tests.bots.heap import Heap, Take
from tests.bots.positions import positions

PATH = Path(__file__).parents[2] / "bots" / "expectimax.py"
expectimax = botfile._run(PATH)


def naive(state, seat, depth):
    """What a position is worth to a seat, by looking at everything."""
    if state.turn is None:
        return expectimax.final(state, seat, depth)
    sign = 1 if state.turn == seat else -1
    if depth <= 0 and not expectimax.must_capture(state):
        return expectimax.evaluation(state, seat)
    if state.chances():
        thrown = [(state.apply(roll), weight) for roll, weight in state.chances()]
        return sum(
            weight * naive(after, seat, depth - bool(after.chances())) for after, weight in thrown
        ) / sum(weight for _, weight in thrown)
    values = [sign * naive(state.apply(action), seat, depth - 1) for action in state.actions()]
    return sign * max(values)


@pytest.mark.parametrize(("kind", "depth"), [("tab", 2), ("draughts", 3)])
def test_what_is_cut_off_could_not_have_mattered(kind, depth):
    for state in positions(kind, 12):
        bot = expectimax.Expectimax(depth)
        bot.new_game(random.Random(1))
        chosen = bot.choose(state, state.actions(), 1e6)
        values = {move: naive(state.apply(move), state.turn, depth - 1) for move in state.actions()}
        assert values[chosen] == pytest.approx(max(values.values()))


def test_a_bound_is_never_on_the_wrong_side():
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


@pytest.mark.parametrize("kind", ["tab", "draughts"])
def test_without_time_it_still_plays(kind):
    bot = expectimax.Expectimax(50)
    bot.new_game(random.Random(1))
    for state in positions(kind, 2):
        assert bot.choose(state, state.actions(), 0.2) in state.actions()


@pytest.mark.parametrize(("heap", "takes"), [(7, 1), (8, 2)])
def test_of_a_game_it_knows_nothing_of_it_sees_the_ends(heap, takes):
    state = Heap(heap)
    bot = expectimax.Expectimax(8)
    bot.new_game(random.Random(1))
    assert bot.choose(state, state.actions(), 1e6) == Take(takes)


@pytest.mark.parametrize(("heap", "wins"), [(2, True), (5, False)])
def test_of_three_players_the_two_others_are_one_side(heap, wins):
    bot = expectimax.Expectimax()
    bot.deadline = float("inf")
    value = bot.value(Heap(heap, seats=3), 8, -1.0, 1.0)
    assert abs(value) >= expectimax.WON
    assert (value > 0) == wins


def test_against_two_others_a_defeat_is_put_off():
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
