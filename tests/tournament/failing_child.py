"""A referee process whose code fails on purpose; the environment says how, and in which game.

A `deaf` one never reads its input.
"""

from __future__ import annotations

import os
import runpy
import time

from tabnet.server.core.matches.match import Match

WAY, GAME = "TEST_FAILING_WAY", "TEST_FAILING_GAME"


def fail_in_one_game() -> None:
    """Let every move of one game raise, or end the process."""
    take = Match.take

    def failing(match, *args):
        if match.id == os.environ[GAME]:
            if os.environ[WAY] == "exit":
                print("the last words", flush=True)  # must not disturb the referee's own output
                os._exit(7)
            raise ArithmeticError("the rules are broken")
        return take(match, *args)

    Match.take = failing


if __name__ == "__main__":
    if os.environ[WAY] == "deaf":
        time.sleep(1000)  # whoever started this has to end it
    fail_in_one_game()
    runpy.run_module("tabnet.tournament.play.referee_process.child", run_name="__main__")
