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

GUARDS_S = 2.0
"""The time for guards to notice that the referee process is gone, and to end their bots."""
GIVE_UP_S = 2.0
"""The time limit for processes that start others, or do not end."""
LOOK_S = 0.01
"""The pause before the next look: a killed process is gone a moment later."""


def kill_marked(mark: str) -> None:
    """Let the guards of bots end everything, and kill what is left with this mark after a while.

    Return when no process with the mark is left. A guard that is killed early would leave what has
    no mark: a process can remove it from its environment.
    """
    began = time.monotonic()
    while (pids := _find_marked(mark)) and time.monotonic() < began + GUARDS_S + GIVE_UP_S:
        if time.monotonic() < began + GUARDS_S:
            pids = []
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
