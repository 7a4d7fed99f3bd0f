"""Takes what it can; where nothing can be taken it plays anything."""

from __future__ import annotations

from random import Random
from typing import Any

import tabnet


class Greedy:
    """Looks no further than what a move takes."""

    def new_game(self, rng: Random) -> None:
        """The same game gives the same choices again."""
        self.rng = rng

    def choose(self, state: Any, moves: tuple[Any, ...], _: float) -> tabnet.Move:
        """One of the moves that take most."""
        gains = [taken(state, move) for move in moves]
        most = max(gains)
        best: list[tabnet.Move] = [
            move for move, gain in zip(moves, gains, strict=True) if gain == most
        ]
        return self.rng.choice(best)


def taken(state: Any, move: Any) -> int:
    """How many pieces a move takes."""
    if hasattr(move, "route"):  # draughts: after the move, `own` are the opponent's pieces
        return int(state.enemy.bit_count() - state.apply(move).own.bit_count())
    return int(state.board[move.to] != 0)  # Tab


if __name__ == "__main__":
    tabnet.run_bot(__file__)
