"""Bots that hang, ignore signals or answer late: they lose by the clock, and others play on."""

from __future__ import annotations

import pytest

from tests.tournament.play.hostile.tournaments import Mode, Theme, check

pytestmark = pytest.mark.slow

HANGS = """
def decide(bot, turn):
    if bot.turns == 3:
        time.sleep(1000)
"""
CLOCK = Theme(
    {
        "hangs_at_start": Mode(
            "time.sleep(1000)", "start_failed", "it did not ask for a game within 8 s"
        ),
        "hangs_in_a_game": Mode(HANGS, "timeout_move", "more than 3 s for a move"),
        "ignores_sigterm": Mode(
            f"for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)\n{HANGS}",
            "timeout_move",
        ),
        "answers_late": Mode(
            """
def decide(bot, turn):
    if bot.turns == 3:
        time.sleep(3.05)
""",
            "timeout_move",
        ),
        "exits_in_a_game": Mode(
            """
def decide(bot, turn):
    if bot.turns == 5:
        sys.exit(0)
""",
            "crash",
            "exit code 0",
        ),
    },
    ("--clock", "3"),
)


def test_bots_that_hang_or_are_late_lose_and_leave_nothing(tmp_path):
    check(tmp_path, CLOCK)
