"""Processes and their descendants as /proc shows them, and how to kill all of them."""

from __future__ import annotations

import os

# The module `signal` makes enumerations of its names, which takes 5 ms.
from _signal import SIGKILL, SIGSTOP  # type: ignore[import-not-found] # typeshed has no stub of it

PR_SET_CHILD_SUBREAPER = 36
CHUNK_BYTES = 65536


def is_supported() -> bool:
    """Return True if this system shows the children of a process."""
    pid = os.getpid()
    return os.access(f"/proc/{pid}/task/{pid}/children", os.R_OK)


def become_subreaper() -> None:
    """Let orphans among the descendants of this process become its children, where that exists."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except (ImportError, OSError, AttributeError):  # not Linux
        pass


class ProcessStatus:
    """The numbers of /proc/PID/stat that limits are about."""

    __slots__ = ("pages", "start_ticks", "threads", "ticks")

    def __init__(self, data: bytes) -> None:
        # The program's name before them, in brackets, may hold anything.
        fields = data[data.rindex(b")") + 2 :].split()
        self.ticks = sum(map(int, fields[11:15]))
        """CPU time of the process, and of the children that it has waited for."""
        self.threads = int(fields[17])
        self.start_ticks = int(fields[19])
        """Time of its start, since the start of the system."""
        self.pages = int(fields[21])
        """Resident memory."""


def read_status(pid: int) -> ProcessStatus | None:
    """Return the status of a process; None if it is gone."""
    data = read_file(f"/proc/{pid}/stat")
    return ProcessStatus(data) if data else None


def read_proportional_bytes(pid: int) -> int | None:
    """Return the resident memory of a process, with shared pages divided among their processes.

    The kernel has to visit all pages for it. Return None if it does not tell.
    """
    for line in read_file(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return None


def list_children(pid: int) -> list[int]:
    """Return the children of a process, which are those of each of its threads."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:  # it is gone
        return []
    found: list[int] = []
    for thread in threads:
        found += map(int, read_file(f"/proc/{pid}/task/{thread}/children").split())
    return found


def list_descendants(pids: list[int]) -> list[int]:
    """Return these processes and their descendants, parents before their children."""
    found = list(pids)
    for pid in found:  # it grows meanwhile
        found += list_children(pid)
    return found


def stop_or_kill(roots: list[int], stopped: set[int]) -> int:
    """Stop these processes and their descendants; if all are in `stopped` already, kill them.

    Stopped processes start no others, so that none is missed. Return the number of processes.
    """
    found, already_stopped = list(roots), len(stopped)
    for pid in found:  # it grows meanwhile
        if pid not in stopped:
            _send_signal(pid, SIGSTOP)
            stopped.add(pid)
        found += list_children(pid)
    if len(stopped) == already_stopped:
        for pid in found:
            _send_signal(pid, SIGKILL)
    return len(found)


def _send_signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def read_file(path: str) -> bytes:
    """Return the content of a file; nothing if it is gone or may not be read."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        data = b""
        while chunk := os.read(file, CHUNK_BYTES):
            data += chunk
        return data
    except OSError:  # the process ended in the meantime
        return b""
    finally:
        os.close(file)
