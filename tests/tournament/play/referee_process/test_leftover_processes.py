"""The processes of a killed referee process are ended, in any session."""

from __future__ import annotations

import os
import subprocess
import sys

from tabnet.tournament.play.bots.bot_environment import REFEREE_PROCESS
from tabnet.tournament.play.referee_process.leftover_processes import kill_marked
from tests.polling import until
from tests.tournament import run_games

SLEEP = "import time; time.sleep(1000)"
PARENT = f"""
import subprocess, sys
subprocess.Popen([sys.executable, "-c", {SLEEP!r}], start_new_session=True)
{SLEEP}
"""


def test_all_processes_with_the_mark_are_ended_and_no_others(monkeypatch):
    monkeypatch.setenv(run_games.MARK, "leftovers")

    def start(program, mark):
        return subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, REFEREE_PROCESS: mark},
            start_new_session=True,
        )

    with start(PARENT, "abc") as dead, start(SLEEP, "abcd") as other:
        until(lambda: len(run_games.living("leftovers")) == 3)
        kill_marked("abc")
        assert len(run_games.living("leftovers")) == 1
        assert other.poll() is None
        other.kill()
        assert dead.wait() < 0
    kill_marked("nobody has this mark")
