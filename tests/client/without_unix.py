"""Imports tabnet's client, bots and terminal on a system that lacks what only Unix has: a program.

    python -m tests.client.without_unix COMMAND ...

Other packages are imported before, because they choose their own code for each system. Then each
argument is executed as a command line of tabnet.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import select
import signal
import sys

import rich.console
import rich.live
import rich.markdown
import trio

UNIX_MODULES = ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
UNIX_SIGNALS = ("SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP", "SIGWINCH")
UNIX_FUNCTIONS = (
    *("fork", "getuid", "killpg", "mkfifo", "pidfd_open", "sched_getaffinity", "setsid"),
    *("sched_setaffinity", "sysconf", "waitid"),
)
PACKAGES = ("tabnet.client", "tabnet.client.terminal", "tabnet.client.verify", "tabnet.games")
COMMANDS = ("bot", "export", "help", "perft", "play", "ranking", "replay", "verify", "watch")


class HidingFinder:
    """A finder that finds none of the modules that only Unix has."""

    def find_spec(self, name: str, *_: object) -> None:
        if name in UNIX_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def hide_unix() -> None:
    for name in UNIX_MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, HidingFinder())
    for owner, names in ((os, UNIX_FUNCTIONS), (select, ("poll",))):
        for name in names:
            delattr(owner, name)
    for name in UNIX_SIGNALS:
        delattr(signal, name)
    signal.Signals = [each for each in signal.Signals if each.name not in UNIX_SIGNALS]


def list_modules() -> list[str]:
    names = [f"tabnet.cli.{command}" for command in COMMANDS]
    names += ["tabnet", "tabnet.cli.game_session", "tabnet.cli.replay_session"]
    for package in PACKAGES:
        found = importlib.import_module(package).__path__
        names += (each.name for each in pkgutil.iter_modules(found, f"{package}."))
    return names


def main() -> None:
    assert trio
    assert rich
    hide_unix()
    for name in list_modules():
        importlib.import_module(name)
    from tabnet.cli import main as execute

    for command in sys.argv[1:]:
        print(execute(command.split()), command)


if __name__ == "__main__":
    main()
