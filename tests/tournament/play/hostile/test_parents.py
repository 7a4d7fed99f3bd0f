"""Bots that kill or stop the process that guards them: they lose, or a sandbox prevents it."""

from __future__ import annotations

import pytest

from tabnet.tournament.play.sandbox.landlock import HAS_SCOPES, find_abi
from tests.tournament.play.hostile.tournaments import Mode, Theme, check

pytestmark = pytest.mark.slow

SENDS = """
def decide(bot, turn):
    if bot.turns == 3:
        try:
            os.kill(os.getppid(), signal.{signal})
        except PermissionError:
            pass  # it plays on
        else:
            time.sleep(1000)
"""
SIGNALS = ("SIGKILL", "SIGSTOP")


def test_without_a_sandbox_a_bot_that_kills_or_stops_its_guard_loses(tmp_path):
    details = (
        "the process that guards it ended unexpectedly, killed by SIGKILL",
        "the process that guards it was stopped",
    )
    modes = {
        signal: Mode(SENDS.format(signal=signal), "crash", detail)
        for signal, detail in zip(SIGNALS, details, strict=True)
    }
    check(tmp_path, Theme(modes, ("--sandbox", "none")))


@pytest.mark.skipif(find_abi() < HAS_SCOPES, reason="this kernel's Landlock has no scopes")
def test_landlock_protects_the_guard(tmp_path):
    modes = {signal: Mode(SENDS.format(signal=signal)) for signal in SIGNALS}
    check(tmp_path, Theme(modes, ("--sandbox", "landlock")))
