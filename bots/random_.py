"""Plays a random legal move."""

from __future__ import annotations

from random import Random

import tabnet


class RandomBot:
    """Plays any legal move with the same probability."""

    def new_game(self, rng: Random) -> None:
        """Use `rng`, so that the same game gives the same choices again."""
        self.rng = rng

    def choose(self, _: tabnet.State, moves: tuple[tabnet.Move, ...], __: float) -> tabnet.Move:
        """Return a random move."""
        return self.rng.choice(moves)


if __name__ == "__main__":
    tabnet.run_bot(__file__)
