"""The bots that come with tabnet: their relative strength, and the moves of greedy and mixed."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tabnet.client import bot_file
from tabnet.client.bot_file import BotSource, load_bot
from tabnet.games import GAMES
from tabnet.games.api import Pass, Roll
from tests.bots.heap import Heap
from tests.bots.positions import choices, positions, start, throw

BOTS = Path(__file__).parents[2] / "bots"
greedy = bot_file._execute_bot_file(BotSource(BOTS / "greedy.py", ""))
mixed = bot_file._execute_bot_file(BotSource(BOTS / "mixed.py", ""))


def men(state, seat):
    """How many pieces a seat has."""
    if hasattr(state, "sticks"):
        return sum(1 for piece in state.board if piece and piece // 4 == seat)
    return sum(state.board.lower().count(letter) for letter in "wb"[seat])


def men_won(state, move):
    """The men that a move wins, by counting them."""
    return men(state, 1 - state.turn) - men(state.apply(move), 1 - state.turn)


def fish_won(state, move):
    """The fish on the tiles that a move names, by looking at the view."""
    board = state.view()["state"]["board"]
    return sum(board[at["row"]][at["col"]] for at in GAMES["fish"].dump_move(move).values())


def way_won(state, move):
    """The way that a checker is kept from going by a pin, by looking at the view."""
    points = [None, *state.view()["points"], None]
    left = points[move.start]["pinned"] and points[move.start]["count"] == 1
    met = points[move.to] if move.to in range(1, 25) else None
    pins = met and met["owner"] == GAMES["plakoto"].colours[1 - state.turn] and met["count"] == 1
    ways = [25 - at if state.turn else at for at in (move.start, move.to)]
    return ways[1] * bool(pins) - ways[0] * left


WON = {"tab": men_won, "draughts": men_won, "fish": fish_won, "plakoto": way_won}


def balance(kind, state, move):
    """Return the gain of a move, less the gain of the best answer, by trying all."""
    seat, after = state.turn, state.apply(move)
    won = WON[kind](state, move)
    if after.turn in (seat, None):
        return won
    throws = [(after.apply(roll), weight) for roll, weight in after.chances()] or [(after, 1)]
    lost = [
        weight * max(WON[kind](thrown, action) for action in thrown.actions())
        for thrown, weight in throws
        if not thrown.chances() and thrown.actions() != (Pass(),)
    ]
    return won - sum(lost) / sum(weight for _, weight in throws)


@pytest.mark.parametrize("kind", WON)
@pytest.mark.parametrize("bot", [greedy.Greedy(), mixed.Mixed(greed=1)])
def test_greedy_wins_most_and_risks_least(kind, bot):
    bot.new_game(random.Random(1))
    for state in positions(kind, 12):
        chosen = bot.choose(state, state.actions(), 1.0)
        best = max(balance(kind, state, move) for move in state.actions())
        assert balance(kind, state, chosen) == pytest.approx(best)


def test_mixed_is_greedy_with_the_given_probability():
    bot = mixed.Mixed(greed=0.25)
    bot.new_game(random.Random(1))
    state = max(positions("tab", 40), key=lambda state: len(state.actions()))
    gains = [mixed.gain(state, move) for move in state.actions()]
    share = gains.count(max(gains)) / len(gains)
    chosen = [bot.choose(state, state.actions(), 1.0) for _ in range(4000)]
    best = sum(mixed.gain(state, move) == max(gains) for move in chosen)
    assert best / 4000 == pytest.approx(0.25 + 0.75 * share, abs=0.03)


def test_mixed_contains_the_code_of_greedy():
    looks = [
        (BOTS / name).read_text().partition("def gain")[2] for name in ("greedy.py", "mixed.py")
    ]
    assert looks[0] == looks[1] != ""


@pytest.mark.parametrize("bot", [greedy.Greedy(), mixed.Mixed()])
def test_house_bots_play_random_moves_of_an_unknown_kind(bot):
    bot.new_game(random.Random(1))
    state = Heap(5)
    counts = Counter(bot.choose(state, state.actions(), 1.0).stones for _ in range(1000))
    assert counts[1] == pytest.approx(500, abs=60)


def result(bots, kind, dice):
    """Which of two bots wins, by seat; each seat has its own stream of throws."""
    state = start(kind, random.Random(dice))
    streams = [random.Random(f"{dice} {seat}") for seat in (0, 1)]
    for seat, bot in enumerate(bots):
        bot.new_game(random.Random(f"{dice} {bots[0].name} {seat}"))
    while state.turn is not None:
        actions = state.actions()
        if actions == (Roll(),):
            state = state.apply(throw(state, streams[state.turn]))
        elif actions == (Pass(),):
            state = state.apply(Pass())
        else:
            state = state.apply(bots[state.turn].choose(state, actions, 100.0))
    return state.outcome().winners


def score(strong, weak, kind, pairs):
    """Return the first bot's points, with the same throws for both seats; half for a draw."""
    one, two = load_bot(strong), load_bot(weak)
    points = 0.0
    for dice in range(pairs):
        for bots, seat in (((one, two), 0), ((two, one), 1)):
            winners = result(bots, kind, dice)
            points += (seat in winners) / len(winners) if winners else 0.5
    return points / (2 * pairs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "order"),
    [
        ("tab", ("expectimax", "greedy", "mixed", "random")),
        ("draughts", ("expectimax", "greedy", "mixed", "first")),
        ("fish", ("expectimax", "greedy", "mixed", "random")),
        ("plakoto", ("expectimax:1", "greedy", "mixed", "random")),
    ],
)
def test_the_bots_have_the_documented_order_of_strength(kind, order):
    for strong, weak in pairwise(order):
        assert score(strong, weak, kind, 10) >= 0.6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "strong", "weak"), [("tab", "random", "first"), ("draughts", "first", "random")]
)
def test_the_two_weakest_bots_are_nearly_equal(kind, strong, weak):
    assert 0.5 < score(strong, weak, kind, 100) < 0.65


@pytest.mark.parametrize(
    ("kind", "seats"),
    [("tab", 2), ("draughts", 2), ("plakoto", 2), ("fish", 2), ("fish", 3), ("fish", 4)],
)
@pytest.mark.parametrize("name", ["first", "random", "mixed", "greedy", "expectimax:1"])
def test_house_bots_choose_legal_moves_deterministically(name, kind, seats):
    for state in list(choices(kind, random.Random(3), seats))[:60]:
        chosen = []
        for _ in range(2):
            bot = load_bot(name)
            bot.new_game(random.Random(1))
            chosen.append(bot.choose(state, state.actions(), 100.0))
        assert chosen[0] == chosen[1]
        assert chosen[0] in state.actions()
