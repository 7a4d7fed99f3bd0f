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

SWAPPED = str.maketrans("bBwW", "wWbB")


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


def pieces(board, colour):
    return sum(piece.lower() == colour for piece in board)


games = st.integers(min_value=0, max_value=2**32).map(random_game)
positions = (
    st.randoms(use_true_random=False)
    .map(random_position)
    .map(lambda position: DRAUGHTS.load({"board": position[0], "turn": position[1]}))
)


def texts(state):
    return sorted(str(move) for move in state.actions())


def turned(route):
    """The route as the other side sees it."""
    return tuple("hgfedcba"["abcdefgh".index(s[0])] + "87654321"[int(s[1]) - 1] for s in route)


@settings(max_examples=20)
@given(games)
def test_every_random_game_follows_the_rules_and_ends(game):
    states, moves = game
    assert states[-1].outcome() is not None
    for before, move, after in zip(states, moves, states[1:], strict=False):
        check_move(before, move, after)


def check_move(before, move, after):
    start, end = (naive.square_of(move.route[place]) for place in (0, -1))
    own, enemy = "wb" if before.turn == 0 else "bw"
    jumps = 0 if abs(start[1] - naive.square_of(move.route[1])[1]) == 1 else (len(move.route) - 1)
    old, new = naive.read(before.board), naive.read(after.board)
    assert pieces(after.board, own) == pieces(before.board, own)
    assert pieces(after.board, enemy) == pieces(before.board, enemy) - jumps
    assert new == naive.play(old, move.route)
    if old[start].islower():
        assert (end[1] > start[1]) == (own == "w")
        crowned = end[1] == (8 if own == "w" else 1)
        assert new[end] == (own.upper() if crowned else own)
    else:
        assert new[end] == own.upper()
    still = bool(old[start].isupper() and not jumps)
    assert after.quiet == (before.quiet + 1 if still else 0)
    assert len(after.seen) == after.quiet
    assert after.side == 1 - before.side


@settings(max_examples=200)
@given(positions)
def test_any_position_loads_from_its_fen(state):
    assert DRAUGHTS.load(state.view()["seen"][-1]) == state


@settings(max_examples=200)
@given(positions)
def test_the_board_turned_round_has_the_moves_turned_round(state):
    other = DRAUGHTS.load({"board": state.board[::-1].translate(SWAPPED), "turn": 1 - state.side})
    routes = {move.route: move for move in state.actions()}
    assert {turned(move.route) for move in other.actions()} == set(routes)
    for move in other.actions():
        after = state.apply(routes[turned(move.route)])
        assert other.apply(move).board == after.board[::-1].translate(SWAPPED)


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
    for _ in range(10_000):
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
