"""The bots of the house: who beats whom, and what the greedy one and the mixed one look at."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tabnet.client import botfile
from tabnet.client.botfile import load
from tabnet.games import GAMES
from tabnet.games.api import Pass, Roll
from tests.bots.heap import Heap
from tests.bots.positions import positions

BOTS = Path(__file__).parents[2] / "bots"
greedy = botfile._run(BOTS / "greedy.py")
mixed = botfile._run(BOTS / "mixed.py")


def men(state, seat):
    """How many pieces a seat has."""
    if hasattr(state, "sticks"):
        return sum(1 for piece in state.board if piece and piece // 4 == seat)
    return sum(state.board.lower().count(letter) for letter in "wb"[seat])


def balance(state, move):
    """The men that a move wins, less those that the best answer to it does, by looking."""
    seat, after = state.turn, state.apply(move)
    won = men(state, 1 - seat) - men(after, 1 - seat)
    if after.turn in (seat, None):
        return won
    throws = [after.apply(Roll(n)) for n in range(16)] if after.chances() else [after]
    lost = [
        max(men(after, seat) - men(thrown.apply(action), seat) for action in thrown.actions())
        for thrown in throws
        if not thrown.chances()
    ]
    return won - sum(lost) / len(throws)


@pytest.mark.parametrize("kind", ["tab", "draughts"])
@pytest.mark.parametrize("bot", [greedy.Greedy(), mixed.Mixed(greed=1)])
def test_the_greedy_one_wins_most_men_and_risks_fewest(kind, bot):
    bot.new_game(random.Random(1))
    for state in positions(kind, 12):
        chosen = bot.choose(state, state.actions(), 1.0)
        best = max(balance(state, move) for move in state.actions())
        assert balance(state, chosen) == pytest.approx(best)


def test_the_mixed_one_is_greedy_as_often_as_it_is_told():
    bot = mixed.Mixed(greed=0.25)
    bot.new_game(random.Random(1))
    state = max(positions("tab", 40), key=lambda state: len(state.actions()))
    gains = [mixed.gain(state, move) for move in state.actions()]
    share = gains.count(max(gains)) / len(gains)
    chosen = [bot.choose(state, state.actions(), 1.0) for _ in range(4000)]
    best = sum(mixed.gain(state, move) == max(gains) for move in chosen)
    assert best / 4000 == pytest.approx(0.25 + 0.75 * share, abs=0.03)


def test_the_mixed_one_repeats_the_greedy_one_word_for_word():
    looks = [
        (BOTS / name).read_text().partition("def gain")[2] for name in ("greedy.py", "mixed.py")
    ]
    assert looks[0] == looks[1] != ""


@pytest.mark.parametrize("bot", [greedy.Greedy(), mixed.Mixed()])
def test_in_a_game_they_know_nothing_of_they_play_anything(bot):
    bot.new_game(random.Random(1))
    state = Heap(5)
    counts = Counter(bot.choose(state, state.actions(), 1.0).stones for _ in range(1000))
    assert counts[1] == pytest.approx(500, abs=60)


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


def score(strong, weak, kind, pairs):
    """What the one gets of the points, with the same throws for both seats; half for a draw."""
    one, two = load(strong), load(weak)
    points = 0.0
    for dice in range(pairs):
        for bots, seat in (((one, two), 0), ((two, one), 1)):
            winners = result(bots, kind, dice)
            points += (seat in winners) if winners else 0.5
    return points / (2 * pairs)


@pytest.mark.parametrize(
    ("kind", "order"),
    [
        ("tab", ("expectimax", "greedy", "mixed", "random")),
        ("draughts", ("expectimax", "greedy", "mixed", "first")),
    ],
)
def test_the_order_of_strength(kind, order):
    for strong, weak in pairwise(order):
        assert score(strong, weak, kind, 10) >= 0.6


@pytest.mark.parametrize(
    ("kind", "strong", "weak"), [("tab", "random", "first"), ("draughts", "first", "random")]
)
def test_the_weakest_two_are_nearly_alike(kind, strong, weak):
    assert 0.5 < score(strong, weak, kind, 100) < 0.65
