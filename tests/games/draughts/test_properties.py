"""Properties of every position, in random games and random positions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.errors import IllegalMove
from tabnet.games.draughts import DRAUGHTS, DraughtsMove
from tests.games.draughts import naive
from tests.games.draughts.naive import NaiveGame

pytestmark = pytest.mark.slow

DARK = [f + r for r in "12345678" for f in "abcdefgh" if (("abcdefgh".index(f) + int(r)) % 2 == 1)]


def random_game(seed):
    """The states and the moves of a random game."""
    rng = Random(seed)
    state = DRAUGHTS.start()
    states, moves = [state], []
    while state.turn is not None:
        moves.append(rng.choice(state.actions()))
        state = state.apply(moves[-1])
        states.append(state)
    return states, moves


def random_position(rng):
    """A board text and a side; few pieces or many, men and kings."""
    board = {}
    for colour in "bw":
        for square in rng.sample(DARK, rng.randint(1, 12)):
            last = "1" if colour == "b" else "8"
            king = square[1] == last or rng.random() < 0.3
            board[naive.square_of(square)] = colour.upper() if king else colour
    return naive.write(board), rng.randint(0, 1)


games = st.integers(min_value=0, max_value=2**32).map(random_game)
positions = (
    st.randoms(use_true_random=False)
    .map(random_position)
    .map(lambda position: DRAUGHTS.load({"board": position[0], "turn": position[1]}))
)


def texts(state):
    return sorted(str(move) for move in state.actions())


@settings(max_examples=200)
@given(positions)
def test_any_position_loads_from_its_fen(state):
    assert DRAUGHTS.load(state.view()["seen"][-1]) == state


@settings(max_examples=100)
@given(positions, st.randoms(use_true_random=False))
def test_every_move_that_is_not_legal_is_refused(state, rng):
    legal = {move.route for move in state.actions()}
    routes = [tuple(rng.choices(DARK, k=rng.randint(2, 4))) for _ in range(10)]
    for route in legal:
        routes += [route[:-1], route[1:], (*route[:1], *route[2:]), route[::-1]]
        routes += [(*route, rng.choice(DARK)), (*route, route[-2])]
    for route in routes:
        if len(route) > 1 and route not in legal:
            with pytest.raises(IllegalMove) as refusal:
                state.apply(DraughtsMove(route))
            assert refusal.value.text


def test_the_naive_generator_agrees_on_random_positions():
    rng = Random(1)
    for _ in range(3000):
        text, turn = random_position(rng)
        compare(DRAUGHTS.load({"board": text, "turn": turn}), text, "wb"[turn])


def compare(state, text, side):
    board = naive.read(text)
    game = NaiveGame(board, side)
    result = game.result()
    outcome = state.outcome()
    if result is None:
        assert outcome is None
    else:
        winners = ("wb".index(result[0]),)
        assert (outcome.winners, outcome.reason) == (winners, result[1])
    expected = {" ".join(route): naive.write(naive.play(board, route)) for route in game.moves()}
    assert {str(move): state.apply(move).board for move in state.actions()} == expected


@pytest.mark.parametrize("seed", range(50))
def test_the_naive_game_agrees_on_whole_random_games(seed):
    states, moves = random_game(seed)
    game = NaiveGame()
    for state, move in zip(states, moves, strict=False):
        assert game.result() is None
        assert texts(state) == sorted(" ".join(route) for route in game.moves())
        game.play(move.route)
        assert naive.write(game.board) == state.apply(move).board
    winner, reason = game.result()
    outcome = states[-1].outcome()
    assert outcome.reason == reason
    assert outcome.winners == (("wb".index(winner),) if winner else ())
