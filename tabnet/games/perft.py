"""Counting the leaves of the action tree: the test that no bug in a rules module survives."""

from __future__ import annotations

from tabnet.games.api import State


def perft(state: State, depth: int) -> int:
    """How many leaves lie `depth` plies deep.

    Every outcome of a throw, a pass and a whole move is one ply; lines that end earlier count
    nothing. The leaves are counted, not made.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return state.branches()
    chances = state.chances()
    actions = [roll for roll, _ in chances] if chances else state.actions()
    return sum(perft(state.apply(action), depth - 1) for action in actions)
