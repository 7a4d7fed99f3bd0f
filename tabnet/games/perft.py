"""Perft: counting the leaves of the action tree, which finds any error in the rules."""

from __future__ import annotations

from tabnet.games.api import State


def perft(state: State, depth: int) -> int:
    """Return the number of leaves `depth` plies deep.

    Every outcome of a throw, a pass and a whole move is one ply. Games that end earlier do not
    count. The last ply is counted, not played.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return state.branches()
    chances = state.chances()
    actions = [roll for roll, _ in chances] if chances else state.actions()
    return sum(perft(state.apply(action), depth - 1) for action in actions)
