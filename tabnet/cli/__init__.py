"""The `tabnet` command, one module per subcommand.

A subcommand's module has SUMMARY, DESCRIPTION and EXAMPLE for its help. Its `configure` adds the
options, its `run` executes it and returns the exit code. Modules import what they need in `run`,
and `main` configures only the subcommand that runs, so that `tabnet --help` is quick.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence

import tabnet
from tabnet.cli import (
    admin,
    bench,
    bot,
    check,
    export,
    help,
    perft,
    play,
    ranking,
    replay,
    report,
    serve,
    tournament,
    verify,
    watch,
)
from tabnet.client.plain_text import clean
from tabnet.errors import TabnetError

SUBCOMMANDS = (
    *(tournament, report, bot, check),
    *(serve, play, watch, ranking, export, verify, replay, admin, perft, bench, help),
)

EPILOG = """\
examples:
  tabnet tournament             let the bots that come with tabnet play each other
  tabnet serve                  run a server on this machine
  tabnet play                   play a game in this terminal
  tabnet bot greedy             let a bot play on it
  tabnet check mine.py          test your own bot
  tabnet serve --help           the options of a subcommand
  tabnet help                   chapters of the manual
"""

UNIX_MODULES = ("fcntl", "resource", "termios", "tty")
"""Modules that Python has on Unix only."""
UNIX_ONLY = "tabnet: this command needs a Unix system (on Windows use WSL: tabnet help windows)"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    args = parser(arguments[:1]).parse_args(arguments)
    try:
        code: int = args.run(args)
    except TabnetError as error:
        hint = f" ({error.hint})" if error.hint else ""
        print(f"tabnet: {clean(error.text + hint)}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        if error.name not in UNIX_MODULES:
            raise
        print(UNIX_ONLY, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has stopped
        sys.stderr.close()
        return 141
    return code


class Version(argparse.Action):
    """Prints the versions of tabnet and Python, and the platform."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the line and exit."""
        import platform

        python = f"{platform.python_implementation()} {platform.python_version()}"
        print(f"tabnet {tabnet.__version__}, {python}, {platform.platform()}")
        parser.exit()


def parser(names: Collection[str] | None = None) -> argparse.ArgumentParser:
    """Return the command line; only the subcommands with these names have options, or all."""
    top = argparse.ArgumentParser(
        prog="tabnet",
        description="A referee and arena for board games with dice and the bots that play them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument(
        "--version",
        action=Version,
        nargs=0,
        help="show the versions of tabnet and Python, and the platform",
    )
    subcommands = top.add_subparsers(required=True, metavar="COMMAND")
    for module in SUBCOMMANDS:
        name = module.__name__.rpartition(".")[2]
        sub = subcommands.add_parser(
            name,
            help=module.SUMMARY,
            description=module.DESCRIPTION,
            epilog=module.EXAMPLE,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if names is None or name in names:
            module.configure(sub)
        sub.set_defaults(run=module.run)
    return top
