"""Ends the processes that a killed referee process leaves behind: its bots and their children.

A referee process has its own mark in its environment, and all its descendants inherit it. They are
found even if the referee process was killed before it could report them.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from tabnet.tournament.play.bots.bot_environment import REFEREE_PROCESS

GIVE_UP_S = 2.0
"""The time limit for processes that start others, or do not end."""
LOOK_S = 0.01
"""The pause before the next look: a killed process is gone a moment later."""


def kill_marked(mark: str) -> None:
    """Kill every process with this mark; return when none is left."""
    give_up_at = time.monotonic() + GIVE_UP_S
    while (pids := _find_marked(mark)) and time.monotonic() < give_up_at:
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(LOOK_S)


def _find_marked(mark: str) -> list[int]:
    """Return the processes with this mark; systems without /proc have no referee processes."""
    entry = f"{REFEREE_PROCESS}={mark}".encode()
    return [
        int(folder.name)
        for folder in Path("/proc").iterdir()
        if folder.name.isdecimal() and entry in _read_environment(folder)
    ]


def _read_environment(process: Path) -> list[bytes]:
    """Return the variables of a process; none if it has ended or belongs to another user."""
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return []
