"""Plays the last legal move."""

import tabnet


class Late:
    """Plays the last legal move."""

    def choose(self, _state, moves, _left):
        return moves[-1]


if __name__ == "__main__":
    tabnet.run_bot(__file__)
