"""bubblewrap: a process sees only the files that it may read, and only its own processes.

A process of the local socket also gets a network without any connection. Inside, Landlock restricts
the process as well, where the kernel has it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from tabnet.tournament.play.sandbox.policy import DEVICES, Access, find_containing

PROGRAM = "bwrap"
TRY_S = 10.0


def make_command(access: Access, command: Sequence[str]) -> list[str]:
    """Return the command line that starts a command with this access, in the current folder.

    The command ends when its first process ends, and with it all that it has started. The option
    --die-with-parent is not used: it binds the process to the thread that started it.
    """
    folder = str(Path.cwd())
    return [
        *(PROGRAM, "--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--unshare-uts"),
        *(("--unshare-net",) if access.is_local else ()),
        *("--cap-drop", "ALL"),
        *_mount(access),
        *("--dir", folder, "--chdir", folder, "--remount-ro", "/"),
        *("--", *command),
    ]


def _mount(access: Access) -> Iterator[str]:
    """Yield the options for the files, a folder before its parts, which may have more rights.

    A readable part of a readable folder is left out: it may be a link, which is no place to mount.
    """
    readable = (path for path in access.read if os.access(path, os.F_OK))
    options = dict.fromkeys(readable, "--ro-bind-try")
    for path in access.write:
        options[path] = "--dev-bind-try" if path in DEVICES else "--bind-try"
    folders: list[str] = []
    for path in sorted(options):
        if path in access.write or find_containing(path, folders) is None:
            yield from (options[path], path, path)
            folders.append(path)


@cache
def find_problem(read: tuple[str, ...]) -> str:
    """Return why this host cannot use bubblewrap; empty if it can. `read` are Python's paths."""
    if shutil.which(PROGRAM) is None:
        return "the program bwrap is not installed"
    access = Access(read, DEVICES, (), is_local=True)
    # As the first process: otherwise bwrap leaves one that nobody waits for.
    program, *options = make_command(access, [sys.executable, "-I", "-S", "-c", ""])
    command = [program, "--as-pid-1", *options]
    try:
        tried = subprocess.run(  # noqa: S603 - it is the purpose
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=TRY_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = tried.stderr.decode(errors="replace").strip().splitlines()
    return (lines[-1] if lines else f"exit code {tried.returncode}") if tried.returncode else ""
