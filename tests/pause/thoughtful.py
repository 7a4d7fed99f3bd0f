"""A bot that thinks for a tenth of a second and plays the first legal move."""

from __future__ import annotations

import time

THINKING_S = 0.1


def choose(state, moves, left):
    """Return the first move."""
    time.sleep(THINKING_S)
    return moves[0]
