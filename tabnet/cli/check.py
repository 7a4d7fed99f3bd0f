"""`tabnet check`: test that a bot handles every situation."""

from __future__ import annotations

import argparse

from tabnet.cli.bot_process_options import (
    add_limit_options,
    add_process_options,
    read_process_settings,
)
from tabnet.cli.kind_options import (
    add_game_options,
    add_kind_option,
    read_game_options,
    require_kind,
)
from tabnet.client.safe_text import clean_line

DESCRIPTION = """\
Test a bot in every situation that can occur: a forced pass, two destinations, an opponent who
leaves, a lost connection, a long wait. Prints each mistake with the line that the bot sent; the
exit code is 1 after a mistake. BOT is a file, a folder that contains bot.py, the name of a bot that
comes with tabnet, or cmd: and a command, which reads from its environment where to play.
"""
EXAMPLE = """\
examples:
  tabnet check bots/first.py
  tabnet check 'cmd:node bots/plain.js'
"""
PATIENCE_S = 10.0


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bot", metavar="BOT", help="a file, a folder, a name like greedy, or cmd:COMMAND"
    )
    add_kind_option(parser)
    add_game_options(parser)
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE_S,
        metavar="S",
        help="the time limit for each reaction of the bot (%(default)g s)",
    )
    process = parser.add_argument_group("the bot's process")
    add_process_options(process)
    add_limit_options(process)


def run(args: argparse.Namespace) -> int:
    """Print a line for each situation, with details of failures, and return the exit code."""
    from tabnet.tournament.check.situations import check_bot

    require_kind(args.kind)
    settings, options, mistakes = read_process_settings(args), read_game_options(args), 0
    for name, mistake in check_bot(args.bot, args.kind, options, args.patience, settings):
        print(f"{'ok   ' if mistake is None else 'WRONG'}  {name}", flush=True)
        if mistake is not None:
            mistakes += 1
            print(f"       {clean_line(mistake.text)}")
            if mistake.line is not None:
                print(f"       sent line: {clean_line(mistake.line.decode(errors='replace'))}")
    return 1 if mistakes else 0
