"""The bot of README with type annotations. The gate checks this file with `mypy --strict`."""

from __future__ import annotations

from random import Random

import tabnet
from tabnet.games.tab import TabMove, TabState


class Mine:
    """Captures a piece if it can."""

    def new_game(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, state: TabState, moves: tuple[TabMove, ...], left: float) -> TabMove:
        captures = [move for move in moves if state.board[move.to]]
        return self.rng.choice(captures or moves)


if __name__ == "__main__":
    tabnet.run_bot(__file__)
