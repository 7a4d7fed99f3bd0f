"""Properties of every position of Plakoto, in random games and on random boards."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.errors import IllegalMove
from tabnet.games.api import Action, Pass, Roll
from tabnet.games.plakoto import PLAKOTO, PlakotoMove, PlakotoState
from tests.games.plakoto.naive import FIRST, HOME, OFF, OTHER, NaivePlakoto, Ply, result_of

pytestmark = pytest.mark.slow

LONGEST_GAME = 4000
THROWS = [Roll((first, second)) for first in range(1, 7) for second in range(1, 7)]


# -- where positions come from


def walk(seed: int) -> Iterator[tuple[PlakotoState, Action, PlakotoState]]:
    """Every step of a random game: the state, what was played, the state after it."""
    luck = random.Random(seed)
    state = PLAKOTO.start()
    for _ in range(LONGEST_GAME):
        if state.turn is None:
            return
        action = luck.choice(state.actions())
        if isinstance(action, Roll):
            action = luck.choice(THROWS)
        after = state.apply(action)
        yield state, action, after
        state = after


def random_position(luck: random.Random) -> PlakotoState:
    """Checkers anywhere, or all of a side at home and some borne off; any dice, or none."""
    stacks = [""] * 26
    for colour in luck.sample("WB", 2):
        at_home = luck.random() < 0.5
        for _ in range(luck.randint(1, 15) if at_home else 15):
            choices = [
                point
                for point in (HOME[colour] if at_home else range(1, 25))
                if may_come(stacks[point], colour, point)
            ]
            point = luck.choice(choices or [OFF[colour]])
            stacks[point] += colour
        stacks[OFF[colour]] = colour * (15 - "".join(stacks[1:25]).count(colour))
    naive = NaivePlakoto(tuple(stacks), luck.choice("WB"), random_dice(luck))
    return PLAKOTO.load(naive.view())


def may_come(stack: str, colour: str, point: int) -> bool:
    if OTHER[colour] not in stack:
        return True
    return stack.count(OTHER[colour]) == 1 and point != FIRST[colour]


def random_dice(luck: random.Random) -> tuple[int, ...]:
    high, low = sorted((luck.randint(1, 6), luck.randint(1, 6)), reverse=True)
    left = (high,) * luck.randint(1, 4) if high == low else (high, low)
    return luck.choice([left, left, left, (high,), ()])


@st.composite
def positions(draw: st.DrawFn) -> PlakotoState:
    return random_position(draw(st.randoms(use_true_random=False)))


# -- on any board


@settings(max_examples=150)
@given(positions())
def test_every_action_applies_and_every_other_is_refused(state: PlakotoState) -> None:
    every: list[Action] = [PlakotoMove(p, to) for p in range(-1, 27) for to in range(-1, 27)]
    legal = {*state.actions(), *(roll for roll, _ in state.chances())}
    for action in [*every, Pass(), Roll((6, 6))]:
        if action in legal:
            assert isinstance(state.apply(action), PlakotoState)
        else:
            with pytest.raises(IllegalMove):
                state.apply(action)


# -- against the naive rules


def as_action(ply: Ply) -> Action:
    if ply[0] == "roll":
        return Roll(ply[1:])
    return Pass() if ply[0] == "pass" else PlakotoMove(*ply[1:])


def assert_naive_agrees(state: PlakotoState, luck: random.Random) -> None:
    """The same view, the same plies, and after one of them the same view and outcome again."""
    naive = NaivePlakoto.from_view(state.view())
    assert naive.view() == state.view()
    plies = naive.plies()
    follow = [roll for roll, _ in state.chances()] or state.actions()
    assert sorted(map(repr, map(as_action, plies))) == sorted(map(repr, follow))
    if not plies:
        return
    ply = luck.choice(plies)
    after, naive_after = state.apply(as_action(ply)), naive.play(ply)
    assert after.view() == naive_after.view()
    outcome = after.outcome()
    assert (outcome and (outcome.winners, outcome.points)) == result_of(naive_after.stacks)


@pytest.mark.parametrize("seed", range(2))
def test_the_naive_rules_agree_on_2500_positions_from_each_seed(seed: int) -> None:
    luck = random.Random(seed)
    met = [before for number in range(6) for before, _, _ in walk(100 * seed + number)]
    for state in luck.sample(met, 1000):
        assert_naive_agrees(state, luck)
    for _ in range(1500):
        assert_naive_agrees(random_position(luck), luck)


@settings(max_examples=150)
@given(positions(), st.randoms(use_true_random=False))
def test_the_naive_rules_agree_on_any_board(state: PlakotoState, luck: random.Random) -> None:
    assert_naive_agrees(state, luck)


def after_turn(state: PlakotoState) -> list[PlakotoState]:
    """Every position that a turn whose dice are thrown can lead to."""
    found, open_, seen = set(), [state], {state}
    while open_:
        here = open_.pop()
        for action in here.actions():
            after = here.apply(action)
            if after.turn == state.turn and after.dice:
                if after not in seen:
                    seen.add(after)
                    open_.append(after)
            else:
                found.add(after)
    return sorted(found, key=lambda after: (after.board, after.turn is None))


def test_the_first_turn_leads_to_59_positions_and_the_second_to_3474() -> None:
    counts, second = {}, 0
    for roll, _ in PLAKOTO.start().chances():
        after = after_turn(PLAKOTO.start().apply(roll))
        counts[roll.outcome] = len(after)
        for answer, _ in PLAKOTO.start().chances():
            second += len({end for state in after for end in after_turn(state.apply(answer))})
    doubles = {(die, die): 4 if die == 6 else 5 for die in range(1, 7)}
    assert counts == {throw: doubles.get(throw, 2) for throw in counts}
    assert len(counts) == 21
    assert sum(counts.values()) == 59
    assert second == 3474
