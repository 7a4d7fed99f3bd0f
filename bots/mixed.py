"""Now greedy, now anything: something between the two, as strong as one likes."""

from __future__ import annotations

from random import Random
from typing import Any

import tabnet


class Mixed:
    """`greed` is how often it looks at what a move takes: 0 never, 1 always."""

    def __init__(self, greed: float = 0.5) -> None:
        self.greed = greed
        self.rng = Random(0)

    def new_game(self, rng: Random) -> None:
        """The same game gives the same choices again."""
        self.rng = rng

    def choose(self, state: Any, moves: tuple[Any, ...], _: float) -> tabnet.Move:
        """Any of the moves, or one of those that gain most."""
        if self.rng.random() < self.greed:
            gains = [gain(state, move) for move in moves]
            most = max(gains)
            moves = tuple(move for move, gained in zip(moves, gains, strict=True) if gained == most)
        chosen: tabnet.Move = self.rng.choice(moves)
        return chosen


def gain(state: Any, move: Any) -> int:
    """What a move takes, less what the opponent can take then without throwing first."""
    after = state.apply(move)
    if after.turn is None or after.chances():
        return taken(state, move)
    return taken(state, move) - max(taken(after, answer) for answer in after.actions())


def taken(state: Any, move: Any) -> int:
    """How many pieces a move takes."""
    if hasattr(move, "route"):  # draughts: after the move, `own` are the opponent's pieces
        return int(state.enemy.bit_count() - state.apply(move).own.bit_count())
    return int(state.board[move.to] != 0)  # Tab


if __name__ == "__main__":
    tabnet.run_bot(__file__)
