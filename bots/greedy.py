"""Takes what it can, and gives away as little as it can; else it plays anything."""

from __future__ import annotations

from random import Random
from typing import Any

import tabnet


class Greedy:
    """Looks no further than what a move takes, and what the answer to it may take."""

    def new_game(self, rng: Random) -> None:
        """The same game gives the same choices again."""
        self.rng = rng

    def choose(self, state: Any, moves: tuple[Any, ...], _: float) -> tabnet.Move:
        """One of the moves that gain most."""
        gains = [gain(state, move) for move in moves]
        most = max(gains)
        best = [move for move, gained in zip(moves, gains, strict=True) if gained == most]
        chosen: tabnet.Move = self.rng.choice(best)
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
