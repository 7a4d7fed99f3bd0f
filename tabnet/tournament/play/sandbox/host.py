"""The sandbox of the machine on which bots run: which one it is, and what it enforces."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from tabnet.client.bot_file import HOUSE_BOT_FOLDERS, PACKAGE
from tabnet.errors import StartError
from tabnet.tournament.play.sandbox import bubblewrap, landlock
from tabnet.tournament.play.sandbox.policy import (
    AUTO,
    BWRAP,
    LANDLOCK,
    NONE,
    Access,
    HostPaths,
    list_installation,
    list_readable,
)

FILES = "files"
TRUNCATION = "truncation of files"
DEVICE_COMMANDS = "commands to devices"
TCP = "TCP"
SIGNALS = "signals"
ABSTRACT_SOCKETS = "abstract sockets"
LOCAL_SOCKETS = "sockets of other programs in folders"
UDP = "UDP"
UDP_OF_COMMANDS = "UDP of cmd: bots"
PROCESSES = "list of processes"
RESTRICTIONS = {
    FILES: 1,
    TRUNCATION: landlock.HAS_TRUNCATE,
    TCP: landlock.HAS_PORTS,
    DEVICE_COMMANDS: landlock.HAS_IOCTL,
    SIGNALS: landlock.HAS_SCOPES,
    ABSTRACT_SOCKETS: landlock.HAS_SCOPES,
}
"""The version of Landlock that has each restriction."""
OF_NAMESPACES = (FILES, TRUNCATION, DEVICE_COMMANDS, SIGNALS, LOCAL_SOCKETS, PROCESSES)


@frozen
class ConfinedCommand:
    """A command line that starts a bot in its sandbox."""

    command: tuple[str, ...]
    rules: landlock.Rules | None = None
    """The rules that its process sets before it becomes the command."""

    @property
    def is_restricted(self) -> bool:
        return self.rules is not None or self.is_wrapped

    @property
    def is_wrapped(self) -> bool:
        """True if the process is bubblewrap's, and the bot a process below it."""
        return self.command[0] == bubblewrap.PROGRAM


@frozen
class Sandbox:
    used: str
    """`landlock`, `bwrap` (with Landlock inside, if `abi` is not 0) or `none`."""
    abi: int
    """The version of Landlock in the kernel; 0 without it."""

    def confine(self, command: Sequence[str], access: Access) -> ConfinedCommand:
        """Return how to start a command with this access.

        bubblewrap mounts files, which Landlock denies. So the rules of Landlock are set inside.
        """
        rules: landlock.Rules = {
            "read": list(access.read),
            "write": list(access.write),
            "connect": list(access.connect),
        }
        if self.used == BWRAP and self.abi:
            python = (sys.executable, "-I", "-S", landlock.__file__)
            command = (*python, json.dumps(rules), *command)
        if self.used == BWRAP:
            command = bubblewrap.make_command(access, command)
        return ConfinedCommand(tuple(command), rules if self.used == LANDLOCK else None)

    def describe(self, *, has_commands: bool) -> dict[str, Any]:
        """Return what the host can enforce; UDP depends on whether there are `cmd:` bots."""
        enforced = set()
        if self.used != NONE:
            enforced = {each for each, since in RESTRICTIONS.items() if self.abi >= since}
        if self.used == BWRAP:
            enforced |= {*OF_NAMESPACES, UDP}
            if not has_commands:
                enforced |= {TCP, ABSTRACT_SOCKETS}
        everything = [*RESTRICTIONS, LOCAL_SOCKETS, PROCESSES, UDP]
        if self.used == BWRAP and has_commands:
            everything.append(UDP_OF_COMMANDS)
        return {
            **asdict(self),
            "enforced": [each for each in everything if each in enforced],
            "not": [each for each in everything if each not in enforced],
        }


@cache
def find_host_paths() -> HostPaths:
    """Return the paths of Python and tabnet on this machine."""
    return HostPaths(tuple(_list_python_paths()), tuple(map(str, (PACKAGE, *HOUSE_BOT_FOLDERS))))


def _list_python_paths() -> Iterator[str]:
    for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix):
        yield from list_installation(prefix)
    yield from list_package_folders()


def list_package_folders() -> list[str]:
    """Return the folders in which this process finds installed packages."""
    return [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]


@cache
def choose_sandbox(choice: str) -> Sandbox:
    """Return the sandbox for an option; raises `StartError` if this machine does not have it."""
    abi = landlock.find_abi() if choice != NONE else 0
    if choice == LANDLOCK and not abi:
        raise StartError("--sandbox landlock: this system has no Landlock")
    problem = ""
    if choice in (AUTO, BWRAP):
        problem = bubblewrap.find_problem(list_readable(find_host_paths(), (), is_command=False))
        if not problem:
            return Sandbox(BWRAP, abi)
    if choice == BWRAP:
        raise StartError(f"--sandbox bwrap: {problem}")
    return Sandbox(LANDLOCK if abi else NONE, abi)
