"""The bot that searches finds what a search without any cleverness finds; and who beats whom."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tabnet.client import botfile
from tabnet.client.botfile import load
from tabnet.games import GAMES
from tabnet.games.api import Pass, Roll

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


def positions(kind, count):
    """Some positions of a random game in which there is a choice."""
    rng, game = random.Random(5), GAMES[kind]
    state = game.start(game.options(size=7)) if kind == "tab" else game.start()
    found = []
    while state.turn is not None:
        actions = state.actions()
        action = rng.choice(actions)
        if action == Roll():
            action = Roll(rng.randrange(16))
        elif action != Pass() and len(actions) > 1:
            found.append(state)
        state = state.apply(action)
    return rng.sample(found, count)


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


def result(bots, kind, dice):
    """Which of two bots wins, by seat; each seat has its own stream of throws."""
    state = GAMES[kind].start()
    streams = [random.Random(f"{dice} {seat}") for seat in (0, 1)]
    for seat, bot in enumerate(bots):
        bot.new_game(random.Random(f"{dice} {bots[0].name} {seat}"))
    while state.turn is not None:
        actions = state.actions()
        if actions == (Roll(),):
            state = state.apply(Roll(streams[state.turn].randrange(16)))
        elif actions == (Pass(),):
            state = state.apply(Pass())
        else:
            state = state.apply(bots[state.turn].choose(state, actions, 100.0))
    return state.outcome().winners


@pytest.mark.parametrize("kind", ["tab", "draughts"])
@pytest.mark.parametrize(("strong", "weak"), [("greedy", "random"), ("expectimax", "greedy")])
def test_the_order_of_strength(kind, strong, weak):
    one, two = load(strong), load(weak)
    score = sum(
        (result((one, two), kind, dice) == (0,)) + (result((two, one), kind, dice) == (1,))
        for dice in range(10)
    )
    assert score >= 13
