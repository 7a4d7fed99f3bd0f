"""The processes that this process has started, and orphans that became its children.

A guard ends everything that its bot has started. If a guard is killed, the kernel gives the
processes of its bot to this process, a subreaper, which then kills all children that it has not
started itself.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

import trio

from tabnet.tournament.play.guard.process_tree import (
    become_subreaper,
    is_supported,
    list_children,
    read_status,
    stop_or_kill,
)

GIVE_UP_S = 2.0
"""The time limit for processes that do not end."""
LOOK_S = 0.005
"""The pause before the next look: a killed process is gone a moment later."""


class OwnProcesses:
    """The children of this process that it has started itself."""

    def __init__(self) -> None:
        self._processes: set[trio.Process] = set()
        self._starting = 0
        """The number of processes that are being started."""

    async def start(self, command: Sequence[str], environment: Mapping[str, str]) -> trio.Process:
        """Start a process in its own session, with three pipes.

        The process is returned even if the task is cancelled meanwhile.
        """
        if not self._processes:
            become_subreaper()
        self._processes = {each for each in self._processes if each.returncode is None}
        self._starting += 1
        try:
            with trio.CancelScope(shield=True):  # or nobody would know of the process
                process = await trio.lowlevel.open_process(
                    list(command),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=environment,
                    start_new_session=True,  # signals of a terminal are for this process alone
                )
        finally:
            self._starting -= 1
        self._processes.add(process)
        return process

    async def kill_orphans(self, since: int) -> None:
        """Kill and reap the orphans that have started since a time in ticks, and what they start.

        A process that is being started looks like an orphan: nothing is killed meanwhile.
        """
        stopped: set[int] = set()
        with trio.move_on_after(GIVE_UP_S):
            while True:
                if not self._starting:
                    orphans = self._list_orphans(since)
                    if not orphans:
                        return
                    stop_or_kill(orphans, stopped)
                    for pid in orphans:
                        with suppress(ChildProcessError):
                            os.waitpid(pid, os.WNOHANG)  # noqa: ASYNC222 - it does not wait
                await trio.sleep(LOOK_S)

    def _list_orphans(self, since: int) -> list[int]:
        known = {process.pid for process in self._processes}
        pids = [pid for pid in list_children(os.getpid()) if pid not in known]
        found = ((pid, read_status(pid)) for pid in pids)
        return [pid for pid, status in found if status and status.start_ticks >= since]


OWN_PROCESSES = OwnProcesses()
"""Those of this process; there is one list, because orphans do not say whose they were."""


def count_ticks() -> int:
    """Return the time since the start of the system, as /proc shows the start of a process."""
    if not is_supported():
        return 0
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))
