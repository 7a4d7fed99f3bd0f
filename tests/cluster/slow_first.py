"""A bot that takes the first move, after 3 ms: its games last long enough to be disturbed."""

from __future__ import annotations

from time import sleep


class Bot:
    def choose(self, state, moves, left):  # noqa: ARG002 - a bot receives all of them
        sleep(0.003)
        return moves[0]
