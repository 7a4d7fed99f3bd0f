"""The rights of a bot's process in a sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tabnet.errors import StartError
from tabnet.tournament.play.bots.bot_environment import list_writable
from tabnet.tournament.play.bots.entrants import BotProgram
from tabnet.tournament.play.bots.local_bots import LocalBot
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.sandbox.host import choose_sandbox, find_host_paths
from tabnet.tournament.play.sandbox.policy import (
    DEVICES,
    NONE,
    PROCESSES,
    Access,
    find_containing,
    list_readable,
)


def make_access(bot: LocalBot, variables: Mapping[str, str], extra: Sequence[str]) -> Access:
    """Return the rights of a process with these variables; `extra` are more readable paths.

    A bot of tabnet's own loop uses the local socket. A program may use the port too.
    """
    own = [str(bot.files), *map(str, bot.installed_paths)]
    local_socket = variables.get("TABNET_SOCKET")
    is_local = local_socket is not None and not bot.is_command
    if local_socket is not None:
        own.append(local_socket)
    return Access(
        read=(*list_readable(find_host_paths(), extra, is_command=bot.is_command), *own),
        write=(*map(str, list_writable(bot.private)), *DEVICES),
        connect=() if is_local else (int(variables["TABNET_PORT"]),),
        is_local=is_local,
    )


def require_readable(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the absolute paths that bots may read besides; raises `StartError`."""
    for path in paths:
        if not Path(path).exists():
            raise StartError(f"--sandbox-read {path}: there is no such file or folder")
        resolved = str(Path(path).resolve())
        if find_containing(PROCESSES, [resolved]) or find_containing(resolved, [PROCESSES]):
            raise StartError(f"--sandbox-read {path}: bots must not read {PROCESSES}")
    return tuple(str(Path(path).absolute()) for path in paths)


def require_hidden(
    folder: Path,
    bots: Iterable[BotProgram],
    settings: ProcessSettings,
    name: str = "the tournament's folder",
    option: str = "--out",
) -> None:
    """Raise `StartError` if a bot in a sandbox could read the folder, which has secrets.

    `name` is what the folder is called in the error, and `option` the one that chooses it.
    """
    if choose_sandbox(settings.sandbox).used == NONE:
        return
    is_command = any(bot.words for bot in bots)
    readable = list_readable(find_host_paths(), settings.readable, is_command=is_command)
    for path in readable:
        if find_containing(str(folder.resolve()), [str(Path(path).resolve())]):
            raise StartError(
                f"bots can read {path}, so {name} {folder} must not be inside it",
                hint=f"choose another folder with {option}, or --sandbox none",
            )
