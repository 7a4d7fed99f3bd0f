"""Now greedy, now anything: something between the two, as strong as one likes."""

from __future__ import annotations

from random import Random
from typing import Any

import tabnet


class Mixed:
    """`greed` is the share of its moves that take what can be taken."""

    def __init__(self, greed: float = 0.5) -> None:
        self.greed = greed

    def new_game(self, rng: Random) -> None:
        """The same game gives the same choices again."""
        self.rng = rng

    def choose(self, state: Any, moves: tuple[Any, ...], _: float) -> tabnet.Move:
        """Any of the moves, or any of those that capture."""
        captures = [move for move in moves if self.captures(state, move)]
        if captures and self.rng.random() < self.greed:
            moves = tuple(captures)
        chosen: tabnet.Move = self.rng.choice(moves)
        return chosen

    def captures(self, state: Any, move: Any) -> bool:
        """Whether a move takes a piece."""
        if hasattr(move, "route"):  # draughts: after the move, `own` are the opponent's pieces
            return bool(state.enemy.bit_count() > state.apply(move).own.bit_count())
        return bool(state.board[move.to])  # Tab


if __name__ == "__main__":
    tabnet.run_bot(__file__)
