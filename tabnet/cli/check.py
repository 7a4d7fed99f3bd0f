"""`tabnet check`: whether a bot can be trusted with a game."""

from __future__ import annotations

import argparse

from tabnet.cli.kind_options import add_kind, add_options, options_of, require_kind

SUMMARY = "put a bot through what happens to bots"
DESCRIPTION = """\
Play a bot against a server of its own that does everything that may happen: a forced pass, two
destinations, an opponent who leaves, a lost connection, a long wait. What the bot does wrong is
told with the line that it sent, and the exit code is 1. BOT is a file, a folder with
bot.py, a name of the house, or cmd: and a command, which finds in its environment where to play.
"""
EXAMPLE = """\
examples:
  tabnet check bots/first.py
  tabnet check 'cmd:node bots/plain.js'
"""
PATIENCE_S = 10.0


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet check`."""
    parser.add_argument(
        "bot", metavar="BOT", help="a file, a folder, a name like greedy, or cmd:COMMAND"
    )
    add_kind(parser)
    add_options(parser)
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE_S,
        metavar="S",
        help="how long the bot may take for anything (%(default)g s)",
    )


def run(args: argparse.Namespace) -> int:
    """A line for each situation, and more where something is wrong; the exit code comes back."""
    from tabnet.client.botfile import load
    from tabnet.client.plain_text import clean
    from tabnet.tournament.check.situations import check

    require_kind(args.kind)
    if not args.bot.startswith("cmd:"):
        load(args.bot)  # what cannot be loaded is told once, not for each situation
    wrongs = 0
    for name, wrong in check(args.bot, args.kind, options_of(args), args.patience):
        print(f"{'ok   ' if wrong is None else 'WRONG'}  {name}", flush=True)
        if wrong is not None:
            wrongs += 1
            print(f"       {clean(wrong.text)}")
            if wrong.line is not None:
                print(f"       it had sent: {clean(wrong.line.decode(errors='replace'))}")
    return 1 if wrongs else 0
