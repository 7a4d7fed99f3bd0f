"""bubblewrap: a process sees only the files that it may read, and only its own processes.

A process of the local socket also gets a network without any connection. Inside, Landlock restricts
the process as well, where the kernel has it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from tabnet.tournament.play.sandbox.policy import DEVICES, Access

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
    """Yield the options for the files, shorter paths first: a part may have more rights."""
    options = dict.fromkeys(access.read, "--ro-bind-try")
    for path in access.write:
        options[path] = "--dev-bind-try" if path in DEVICES else "--bind-try"
    for path in sorted(options):
        yield from (options[path], path, path)


@cache
def find_problem(read: tuple[str, ...]) -> str:
    """Return why this host cannot use bubblewrap; empty if it can. `read` are Python's paths."""
    if shutil.which(PROGRAM) is None:
        return "the program bwrap is not installed"
    access = Access(read, DEVICES, (), is_local=True)
    command = make_command(access, [sys.executable, "-I", "-S", "-c", ""])
    try:
        tried = subprocess.run(  # noqa: S603 - it is the purpose
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=TRY_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = tried.stderr.decode(errors="replace").strip().splitlines()
    return (lines[-1] if lines else f"exit code {tried.returncode}") if tried.returncode else ""
