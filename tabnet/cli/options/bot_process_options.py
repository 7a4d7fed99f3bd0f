"""The options for processes of bots, which every command that starts them shares."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tabnet.tournament.play.sandbox.policy import AUTO, CHOICES

if TYPE_CHECKING:
    from tabnet.tournament.play.bots.process_settings import ProcessSettings

MIB = 1024 * 1024
MAX_LIMIT = 1_000_000_000
"""The highest limit, in any unit."""


def add_process_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME",
        help="an environment variable that bots receive (PATH and LANG); can be repeated",
    )
    group.add_argument(
        "--sandbox",
        choices=CHOICES,
        default=AUTO,
        help="the sandbox of bots: landlock; bwrap, for bubblewrap and Landlock; none; "
        "auto, for the best that works here (%(default)s)",
    )
    group.add_argument(
        "--sandbox-read",
        action="append",
        default=[],
        metavar="PATH",
        help="a file or folder that bots in a sandbox may read; can be repeated",
    )


def add_limit_options(group: argparse._ArgumentGroup, prefix: str = "") -> None:
    """Add the limits of a bot; `prefix` separates them from other options of the command."""
    for name, default, unit, text in (
        ("processes", 64, "N", "processes of a bot at a time"),
        ("memory", 2048, "MIB", "resident memory of all processes of a bot together"),
        ("file-size", 64, "MIB", "size of a file that a bot writes"),
    ):
        group.add_argument(
            f"--{prefix}{name}",
            dest=f"bot_{name.replace('-', '_')}",
            type=parse_limit,
            default=default,
            metavar=unit,
            help=f"the limit: {text} (%(default)s)",
        )
    group.set_defaults(bot_cpu=None)


def add_cpu_option(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--cpu",
        dest="bot_cpu",
        type=parse_cpu_limit,
        metavar="S",
        help="the limit: CPU seconds of all processes of a bot in one game (none)",
    )


def parse_limit(text: str) -> int:
    """Parse a limit of processes or memory, for argparse."""
    if not text.isdecimal() or not 1 <= int(text) <= MAX_LIMIT:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 to {MAX_LIMIT}")
    return int(text)


def parse_cpu_limit(text: str) -> float:
    """Parse a limit of CPU time, for argparse."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= MAX_LIMIT:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds, like 30 or 0.5")
    return seconds


def read_process_settings(args: argparse.Namespace) -> ProcessSettings:
    """Return the settings of bot processes; raises `StartError`."""
    from tabnet.tournament.play.bots.bot_access import require_readable
    from tabnet.tournament.play.bots.bot_environment import require_variables
    from tabnet.tournament.play.bots.bot_process import ProcessLimits
    from tabnet.tournament.play.bots.process_settings import ProcessSettings
    from tabnet.tournament.play.sandbox.host import choose_sandbox

    limits = ProcessLimits(
        processes=args.bot_processes,
        memory=args.bot_memory * MIB,
        file=args.bot_file_size * MIB,
        cpu=args.bot_cpu,
    )
    choose_sandbox(args.sandbox)  # or the error would come later
    return ProcessSettings(
        limits, require_variables(args.env), args.sandbox, require_readable(args.sandbox_read)
    )
