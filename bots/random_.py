"""Plays anything."""

from __future__ import annotations

from random import Random

import tabnet


class RandomBot:
    """Every move is as good as every other one."""

    def new_game(self, rng: Random) -> None:
        """The same game gives the same choices again."""
        self.rng = rng

    def choose(self, _: tabnet.State, moves: tuple[tabnet.Move, ...], __: float) -> tabnet.Move:
        """One of the moves."""
        return self.rng.choice(moves)


if __name__ == "__main__":
    tabnet.run_bot(__file__)
