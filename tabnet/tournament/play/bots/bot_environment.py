"""The environment of a bot: an allow-list, so that no bot reads a secret of the runner's."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tabnet.errors import StartError

REFEREE_PROCESS = "TABNET_REFEREE_PROCESS"
"""The variable with the mark of a referee process, which all its descendants inherit."""
INHERITED = (
    "PATH",
    "LANG",
    REFEREE_PROCESS,
    *(("SYSTEMROOT",) if sys.platform == "win32" else ()),  # no sockets without it
)
"""The variables that every bot receives from the runner."""
UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
"""The output of a bot in Python is not lost when its process is killed."""


def require_variables(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of variables that bots receive as well; raises `StartError` if one is unset.

    A bot must not find out about a misspelt name in its first game.
    """
    for name in names:
        if name not in os.environ:
            raise StartError(f"--env {name}: there is no such environment variable")
    return tuple(names)


def build_environment(
    variables: Mapping[str, str], passed: Sequence[str], private: Path
) -> dict[str, str]:
    """Return the whole environment of a process, and create its home in the folder `private`.

    `variables` are those of the referee, `passed` are names of the runner's own.
    """
    for folder in list_writable(private):
        folder.mkdir()
    places = dict(zip(("HOME", "TMPDIR"), map(str, list_writable(private)), strict=True))
    inherited = {name: os.environ[name] for name in (*INHERITED, *passed) if name in os.environ}
    return {**UNBUFFERED, **places, **inherited, **variables}


def list_writable(private: Path) -> tuple[Path, ...]:
    """Return the folders of a process that it may write to: its home and its temporary folder."""
    return private / "home", private / "tmp"
