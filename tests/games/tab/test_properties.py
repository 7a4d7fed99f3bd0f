"""Properties of every position of Tab, in random games and on random boards of every size."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.errors import IllegalMove
from tabnet.games.api import Action, Pass, Roll, Select
from tabnet.games.tab import TAB, TabMove, TabOptions, TabState
from tests.games.tab.naive import ALL_THROWS, NaiveTab, Ply

pytestmark = pytest.mark.slow

SIZES = (7, 9, 11, 13, 15)
STAGES = ((False, False), (True, False), (True, True))
LONGEST_GAME = 4000

every_size = pytest.mark.parametrize("size", SIZES)


# -- where positions come from


def walk(size: int, seed: int) -> Iterator[tuple[TabState, Action, TabState]]:
    """Every step of a random game: the state, what was played, the state after it."""
    luck = random.Random(seed)
    state = TAB.start(TabOptions(size))
    for _ in range(LONGEST_GAME):
        if state.turn is None:
            return
        action = luck.choice(state.actions())
        if isinstance(action, Roll):
            action = Roll(luck.randrange(16))
        after = state.apply(action)
        yield state, action, after
        state = after


def steps(size: int, games: int = 6) -> Iterator[tuple[TabState, Action, TabState]]:
    for seed in range(games):
        yield from walk(size, seed)


def own_row(cell: int, size: int, seat: int) -> int:
    return 3 - cell // size if seat else cell // size


def may_stand(cell: int, size: int, seat: int, stage: int) -> bool:
    row = own_row(cell, size, seat)
    if stage == 0:
        return row == 0
    if stage == 1:
        return row in (1, 2) or (row == 0 and cell % size > 0)
    return row > 0


Placement = tuple[int, int, int]


def board_view(size: int, placed: list[Placement], turn: int, bits: int) -> dict[str, Any]:
    """A view with those of the placements (cell, seat, stage) that are possible together."""
    pieces: list[Any] = [None] * (4 * size)
    left = [size, size]

    def place(cell: int, seat: int, stage: int) -> None:
        if pieces[cell] is None and left[seat] and may_stand(cell, size, seat, stage):
            moved, reached = STAGES[stage]
            colour = ("Blue", "Red")[seat]
            pieces[cell] = {"color": colour, "inMotion": moved, "reachedLastRow": reached}
            left[seat] -= 1

    for placement in placed:
        place(*placement)
    for seat in (0, 1):
        if left[seat] == size:  # a game that goes on has pieces of both
            place(pieces.index(None, size), seat, 1)
    sides = [bool(bits >> i & 1) for i in range(4)]
    return {"pieces": pieces, "turn": turn, "dice": {"stickValues": sides}}


@st.composite
def positions(draw: st.DrawFn) -> TabState:
    size = draw(st.sampled_from(SIZES))
    piece = st.tuples(st.integers(0, 4 * size - 1), st.integers(0, 1), st.integers(0, 2))
    placed = draw(st.lists(piece, max_size=4 * size))
    view = board_view(size, placed, draw(st.integers(0, 1)), draw(st.integers(0, 15)))
    return TAB.load(view)


def random_position(luck: random.Random, size: int) -> TabState:
    placed = [
        (luck.randrange(4 * size), luck.randrange(2), luck.randrange(3))
        for _ in range(luck.randrange(4 * size))
    ]
    return TAB.load(board_view(size, placed, luck.randrange(2), luck.randrange(16)))


# -- on any board


@settings(max_examples=60)
@given(positions())
def test_every_action_applies_and_every_other_is_refused(state: TabState) -> None:
    cells = range(-1, 4 * state.size + 1)
    every: list[Action] = [TabMove(cell, to) for cell in cells for to in cells]
    legal = {*state.actions(), *(roll for roll, _ in state.chances())}
    for action in [*every, Pass(), Roll(7)]:
        if action in legal:
            assert isinstance(state.apply(action), TabState)
        else:
            with pytest.raises(IllegalMove):
                state.apply(action)


@settings(max_examples=150)
@given(positions())
def test_a_cell_alone_stands_for_its_own_moves(state: TabState) -> None:
    by_cell: dict[int, list[int]] = {}
    for action in state.actions():
        if isinstance(action, TabMove):
            by_cell.setdefault(action.cell, []).append(action.to)
    for cell in range(4 * state.size):
        targets = by_cell.get(cell, [])
        if not targets:
            with pytest.raises(IllegalMove):
                TAB.interpret(state, None, {"cell": cell})
            continue
        meant = TAB.interpret(state, None, {"cell": cell})
        if len(targets) == 1:
            assert meant == TabMove(cell, targets[0])
        else:
            assert meant == Select(cell, tuple(sorted(targets)))
            assert TAB.interpret(state, cell, {"cell": targets[0]}) == TabMove(cell, targets[0])


# -- against the naive rules


def as_action(ply: Ply) -> Action:
    if ply[0] == "roll":
        return Roll(sum(light << i for i, light in enumerate(ply[1])))
    return Pass() if ply[0] == "pass" else TabMove(ply[1], ply[2])


def assert_naive_agrees(state: TabState, luck: random.Random) -> None:
    """The same view, the same plies, and after one of them the same view and winner again."""
    naive = NaiveTab.from_view(state.view())
    assert naive.view() == state.view()
    plies = naive.plies()
    follow = [roll for roll, _ in state.chances()] or state.actions()
    assert sorted(map(repr, map(as_action, plies))) == sorted(map(repr, follow))
    ply = luck.choice(plies)
    if ply[0] == "roll":
        ply = ("roll", luck.choice(ALL_THROWS))
    after, naive_after = state.apply(as_action(ply)), naive.play(ply)
    assert after.view() == naive_after.view()
    outcome, winner = after.outcome(), naive_after.winner()
    assert (outcome and outcome.winners) == (None if winner is None else (winner,))


@every_size
def test_the_naive_rules_agree_on_2000_positions_of_each_size(size: int) -> None:
    luck = random.Random(size)
    met = [before for before, _, _ in steps(size, games=12)]
    for state in luck.sample(met, 1000):
        assert_naive_agrees(state, luck)
    for _ in range(1000):
        assert_naive_agrees(random_position(luck, size), luck)


@settings(max_examples=150)
@given(positions(), st.randoms(use_true_random=False))
def test_the_naive_rules_agree_on_any_board(state: TabState, luck: random.Random) -> None:
    assert_naive_agrees(state, luck)
