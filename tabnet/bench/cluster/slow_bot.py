"""A bot that plays at random, and works or waits before each move."""

from __future__ import annotations

import time
from random import Random
from typing import Any


class SlowBot:
    """Uses `work_ms` of CPU time for a move, and waits for `pause_ms` without using any."""

    def __init__(self, work_ms: float = 0.0, pause_ms: float = 0.0) -> None:
        self.work_s = work_ms / 1000
        self.pause_s = pause_ms / 1000
        self.rng = Random(0)

    def new_game(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, state: Any, moves: tuple[Any, ...], left: float) -> Any:  # noqa: ARG002
        """Return a move, some time later."""
        end = time.thread_time() + self.work_s
        while time.thread_time() < end:
            pass
        if self.pause_s:
            time.sleep(self.pause_s)
        return self.rng.choice(moves)
