"""Plays the first legal move."""

import tabnet


class Steady:
    """Plays the first legal move."""

    def choose(self, _state, moves, _left):
        return moves[0]


if __name__ == "__main__":
    tabnet.run_bot(__file__)
