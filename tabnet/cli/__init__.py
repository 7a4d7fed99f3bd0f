"""The `tabnet` command, one module per subcommand.

A subcommand's module has DESCRIPTION and EXAMPLE for its help. Its `configure` adds the options,
its `run` executes it and returns the exit code. `main` imports only the subcommand that runs, so
that `tabnet --help` is quick. Its functions import what needs trio or Unix, so that the help of
every subcommand is quick, and works on every system.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from importlib import import_module

import tabnet
from tabnet.cli.command_help import CommandParser
from tabnet.client.safe_text import clean_line
from tabnet.errors import TabnetError

SUBCOMMANDS = {
    "tournament": "let bots play each other, and rate them",
    "report": "write the report of a tournament again",
    "bot": "let a bot play on a server",
    "check": "test that a bot handles every situation",
    "serve": "run a server",
    "play": "play a game in this terminal",
    "watch": "watch a game, or list the running games",
    "ranking": "show the best players of a group",
    "export": "write a match to a file, one update a line",
    "verify": "check a finished match: every move, every throw, every position",
    "replay": "show a match step by step",
    "admin": "look after a server's data",
    "perft": "count the positions of a game's tree",
    "bench": "measure speed, CPU time and memory",
    "help": "show a chapter of the manual",
}
"""Each subcommand with its line in the help; the module of the same name has the rest."""

EPILOG = """\
examples:
  tabnet check mine.py          test your own bot
  tabnet tournament             let the bots that come with tabnet play each other
  tabnet serve                  run a server on this machine
  tabnet play                   play a game in this terminal
  tabnet bot greedy             let a bot play on the server
  tabnet serve --help           the options of a subcommand
  tabnet help                   chapters of the manual
"""

UNIX_MODULES = ("fcntl", "resource", "termios", "tty")
"""Modules that Python has on Unix only."""
UNIX_ONLY = "tabnet: this command needs a Unix system (on Windows use WSL: tabnet help windows)"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    args = make_parser(arguments[:1]).parse_args(arguments)
    args.arguments = arguments[1:]
    try:
        code: int = args.run(args)
    except TabnetError as error:
        hint = f" ({error.hint})" if error.hint else ""
        print(f"tabnet: {clean_line(error.text + hint)}", file=sys.stderr)
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
        import platform

        python = f"{platform.python_implementation()} {platform.python_version()}"
        print(f"tabnet {tabnet.__version__}, {python}, {platform.platform()}")
        parser.exit()


def make_parser(names: Collection[str] | None = None) -> argparse.ArgumentParser:
    """Return the command line; only the subcommands with these names have options, or all."""
    top = CommandParser(
        prog="tabnet",
        description="A referee and arena for board games with dice and the bots that play them.",
        epilog=EPILOG,
    )
    top.add_argument(
        "--version",
        action=Version,
        nargs=0,
        help="show the versions of tabnet and Python, and the platform",
    )
    subcommands = top.add_subparsers(required=True, metavar="COMMAND")
    for name, summary in SUBCOMMANDS.items():
        sub = subcommands.add_parser(name, help=summary)
        if names is None or name in names:
            module = import_module(f"tabnet.cli.{name}")
            sub.description, sub.epilog = module.DESCRIPTION, module.EXAMPLE
            module.configure(sub)
            sub.set_defaults(run=module.run)
    return top
