"""Plays the first legal move: a whole bot in one function."""

from __future__ import annotations

import tabnet


def choose(
    state: tabnet.State,  # noqa: ARG001
    moves: tuple[tabnet.Move, ...],
    left: float,  # noqa: ARG001
) -> tabnet.Move:
    """Return the first move, whatever the position and the seconds left."""
    return moves[0]


if __name__ == "__main__":
    tabnet.run_bot(__file__)
