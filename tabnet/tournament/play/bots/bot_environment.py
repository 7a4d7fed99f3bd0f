"""The environment of a bot: an allow-list, so that no bot reads a secret of the runner's."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

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


def require_variables(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of variables that bots receive as well; raises `StartError` if one is unset.

    A bot must not find out about a misspelt name in its first game.
    """
    for name in names:
        if name not in os.environ:
            raise StartError(f"--env {name}: there is no such environment variable")
    return tuple(names)


@contextmanager
def open_private_folder() -> Iterator[Path]:
    """Create a folder for one process, and remove it with all that the process has left in it."""
    with TemporaryDirectory(prefix="tabnet-bot-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        for place in _list_places(folder).values():
            place.mkdir()
        yield folder


def build_environment(
    variables: Mapping[str, str], passed: Sequence[str], private: Path
) -> dict[str, str]:
    """Return the whole environment of a process.

    `variables` are those of the referee, `passed` are names of the runner's own, and the process
    has its home in the folder `private`.
    """
    places = {name: str(place) for name, place in _list_places(private).items()}
    inherited = {name: os.environ[name] for name in (*INHERITED, *passed) if name in os.environ}
    return {**places, **inherited, **variables}


def _list_places(private: Path) -> dict[str, Path]:
    return {"HOME": private / "home", "TMPDIR": private / "tmp"}
