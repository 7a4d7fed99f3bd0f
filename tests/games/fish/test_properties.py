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


def fish_of(state):
    """All fish there are: on the board and taken."""
    return sum(map(sum, state.view()["state"]["board"])) + sum(state.scores)


def tiles_of(state):
    return sum(fish > 0 for row in state.view()["state"]["board"] for fish in row)


@settings(max_examples=100)
@given(games)
def test_every_random_game_ends_and_no_fish_is_lost(game):
    states, steps = game
    assert states[-1].outcome() is not None
    for before, step, after in zip(states, steps, states[1:], strict=False):
        assert before.outcome() is None
        assert fish_of(after) == fish_of(before)
        assert tiles_of(after) == tiles_of(before) - isinstance(step, Slide)
        if isinstance(step, int):
            assert after.places[step] is None
            assert after.scores == before.scores


@settings(max_examples=50)
@given(games)
def test_a_player_who_is_out_stays_out_keeps_the_fish_and_cannot_win(game):
    states, steps = game
    for number, step in enumerate(steps):
        if isinstance(step, int):
            for state in states[number + 1 :]:
                assert state.turn != step
                assert state.scores[step] == states[number].scores[step]
            assert step not in states[-1].outcome().winners


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


# The board has three symmetries, and so have its moves.


def flipped(board):
    """Top to bottom: an odd number of rows keeps even rows even."""
    return lambda spot: Spot(len(board) - 1 - spot.row, spot.col)


def turned(board):
    """Half a turn round: with an even number of rows, even rows become odd ones."""
    return lambda spot: Spot(len(board) - 1 - spot.row, len(board[0]) - 1 - spot.col)


def mirrored(board):
    """Left to right: odd rows, without their last tile, lie in the middle between even ones."""
    return lambda spot: Spot(spot.row, len(board[0]) - 1 - spot.row % 2 - spot.col)


def image(view, where):
    """The position with each place where the mirror shows it."""

    def moved(place):
        return where(Spot(**place))._asdict()

    board = view["state"]["board"]
    seen = [[0] * len(row) for row in board]
    for row in range(len(board)):
        for col in range(len(board[0])):
            if board[row][col]:
                spot = where(Spot(row, col))
                seen[spot.row][spot.col] = board[row][col]
    players = [
        {**player, "places": [moved(place) for place in player["places"]]}
        for player in view["state"]["players"]
    ]
    return {**view, "state": {"players": players, "board": seen}}


def shown(move, where):
    return Place(where(move.at)) if isinstance(move, Place) else Slide(*map(where, spots_of(move)))


def spots_of(slide):
    return slide.start, slide.end


@settings(max_examples=200)
@given(st.randoms(use_true_random=False), st.sampled_from([flipped, turned, mirrored]))
def test_a_mirrored_position_has_the_mirrored_moves(rng, mirror):
    view = FISH.load(random_view(rng)[0]).view()
    board = view["state"]["board"]
    if mirror is not mirrored and len(board) % 2 == (mirror is turned):
        board.append([0] * len(board[0]))
    if mirror is mirrored:
        for row in board:
            row.append(0)
        for row in board[::2]:
            row[-1] = 1  # the even rows have one tile more
    del view["turn"]  # it may be another's, now that there are more tiles
    state = FISH.load(view)
    where = mirror(board)
    other = FISH.load(image(state.view(), where))
    assert other.turn == state.turn
    assert {shown(move, where) for move in state.actions()} == set(other.actions())
    for move in state.actions():
        after = FISH.load(image(state.apply(move).view(), where))
        assert other.apply(shown(move, where)) == after


# The naive game


def test_the_naive_game_agrees_on_random_positions():
    rng = Random(1)
    kinds = set()
    for _ in range(10_000):
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
