"""Bots that kill or stop the process that guards them: they lose, or a sandbox prevents it."""

from __future__ import annotations

import pytest
from attrs import evolve

from tabnet.tournament.play.sandbox.landlock import HAS_SCOPES, find_abi
from tests.tournament.play.hostile.attempts import find_missing
from tests.tournament.play.hostile.tournaments import Mode, Theme, check

pytestmark = pytest.mark.slow

SIGNAL_PARENT = """
def decide(bot, turn):
    if bot.turns == 2:
        if os.fork() == 0:  # and leave a process without a parent
            os.setsid()
            time.sleep(1000)
        try:
            os.kill(os.getppid(), signal.{name})
        except PermissionError:
            return
        time.sleep(2)
"""
OPTIONS = ("--clock", "20")
PARENTS = Theme(
    {
        "kills_guard": Mode(
            SIGNAL_PARENT.format(name="SIGKILL"),
            "crash",
            "the process that guards it ended unexpectedly, killed by SIGKILL",
        ),
        "stops_guard": Mode(
            SIGNAL_PARENT.format(name="SIGSTOP"), "crash", "the process that guards it was stopped"
        ),
    },
    OPTIONS,
)
IN_SANDBOX = Theme(
    {name: evolve(mode, cause="normal", detail="") for name, mode in PARENTS.modes.items()}, OPTIONS
)


def test_a_bot_that_kills_or_stops_its_guard_loses_and_leaves_nothing(tmp_path):
    check(tmp_path, PARENTS, "--sandbox", "none")


@pytest.mark.parametrize("sandbox", ["landlock", "bwrap"])
def test_in_a_sandbox_a_bot_cannot_kill_or_stop_its_guard(sandbox, tmp_path):
    if missing := find_missing(sandbox):
        pytest.skip(missing)
    if sandbox == "landlock" and find_abi() < HAS_SCOPES:
        pytest.skip("this kernel's Landlock has no scopes")
    check(tmp_path, IN_SANDBOX, "--sandbox", sandbox)
