"""Properties of every position, in random games and random positions."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.errors import IllegalMove
from tabnet.games.fish import FISH, FishOptions, Place, Slide, Spot
from tests.games.fish.naive import COLOURS, NaiveFish

pytestmark = pytest.mark.slow


def key(move):
    return json.dumps(move, sort_keys=True)


def listed(moves):
    return sorted(map(key, moves))


def random_options(rng, seats):
    """Boards of all shapes, large enough for the penguins."""
    while True:
        rows, cols = rng.randint(1, 9), rng.randint(1, 9)
        spare = rows * cols - seats * (6 - seats)
        if spare >= 0:
            fish = rng.choice([None, 1, 3])
            return FishOptions(rows=rows, cols=cols, fish=fish, holes=rng.randint(0, spare))


def random_start(rng, seats):
    options = random_options(rng, seats)
    layout = FISH.deal(options, seats, lambda: rng.randrange(256))
    return FISH.start(options, seats, layout)


def random_game(seed):
    """The states of a random game, and what led from each to the next: a move, or who was out."""
    rng = Random(seed)
    state = random_start(rng, rng.randint(2, 4))
    states, steps = [state], []
    while state.turn is not None:
        if rng.random() < 0.03:
            playing = [seat for seat, cells in enumerate(state.places) if cells is not None]
            steps.append(rng.choice(playing))
            state = state.remove(steps[-1])
        else:
            steps.append(rng.choice(state.actions()))
            state = state.apply(steps[-1])
        states.append(state)
    return states, steps


def random_state(rng):
    """A STATE with ragged rows and any numbers of players and penguins, in seat order."""
    rows, cols = rng.randint(1, 8), rng.randint(1, 8)
    full = rng.random()
    board = [
        [rng.randint(1, 5) if rng.random() < full else 0 for _ in range(rng.randint(0, cols))]
        for _ in range(rows)
    ]
    board[rng.randrange(rows)] = [2] * cols
    tiles = [
        {"row": row, "col": col}
        for row in range(rows)
        for col in range(len(board[row]))
        if board[row][col]
    ]
    rng.shuffle(tiles)
    seats = rng.randint(1, 4)
    players = []
    for colour in COLOURS[:seats]:
        places = [tiles.pop() for _ in range(min(len(tiles), rng.randint(0, 5)))]
        players.append({"color": colour, "score": rng.randint(0, 9), "places": places})
    return {"players": players, "board": board}


def random_view(rng):
    """A view of which nothing is known but that it can be loaded, and the naive game of it."""
    state = random_state(rng)
    players = state["players"]
    turn = rng.randrange(len(players))
    penguins = rng.choice([0, 0, 0, 1, 3, 4])
    out = [player["color"] for player in players if rng.random() < 0.1 and not player["places"]]
    view = {
        "state": {"players": players[turn:] + players[:turn], "board": state["board"]},
        "penguins": penguins,
        "out": out,
    }
    return view, NaiveFish.load(state, penguins, out, turn)


games = st.integers(min_value=0, max_value=2**32).map(random_game)
positions = st.randoms(use_true_random=False).map(lambda rng: FISH.load(random_view(rng)[0]))


@settings(max_examples=100)
@given(positions, st.randoms(use_true_random=False))
def test_every_move_that_is_not_legal_is_refused(state, rng):
    spots = [Spot(row, col) for row in range(-1, 9) for col in range(-1, 9)]
    moves = [Place(spot) for spot in spots]
    moves += [Slide(*rng.choices(spots, k=2)) for _ in range(50)]
    moves += [Slide(move.end, move.start) for move in state.actions() if isinstance(move, Slide)]
    legal = set(state.actions())
    for move in moves:
        if move not in legal:
            with pytest.raises(IllegalMove) as refusal:
                state.apply(move)
            assert refusal.value.text


# The naive game


def test_the_naive_game_agrees_on_random_positions():
    rng = Random(1)
    kinds = set()
    for _ in range(3000):
        view, naive = random_view(rng)
        state = FISH.load(view)
        compare(state, naive)
        kinds.add((state.turn, state.is_placing, bool(view["out"])))
        if state.turn is not None:
            move = rng.choice(naive.moves())
            naive.play(move)
            state = state.apply(FISH.parse_move(move))
            compare(state, naive)
    assert len(kinds) == 18


def compare(state, naive):
    assert state.view() == naive.view()
    assert listed(map(FISH.dump_move, state.actions())) == listed(naive.moves())
    outcome = state.outcome()
    if naive.turn is None:
        assert list(outcome.winners) == (naive.winners() if naive.playing() else [])
        assert list(outcome.points) == [player["score"] for player in naive.state["players"]]
    else:
        assert outcome is None


@pytest.mark.parametrize("seed", range(100))
def test_the_naive_game_agrees_on_whole_random_games(seed):
    states, steps = random_game(seed)
    first = states[0]
    naive = NaiveFish(first.view()["state"]["board"], len(first.places))
    compare(first, naive)
    for step, state in zip(steps, states[1:], strict=True):
        if isinstance(step, int):
            naive.kick(step)
        else:
            naive.play(FISH.dump_move(step))
        compare(state, naive)
