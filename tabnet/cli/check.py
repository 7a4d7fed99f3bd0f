"""`tabnet check`: test that a bot handles every situation."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from tabnet.cli.json_output import add_json_option, print_json
from tabnet.cli.options.bot_process_options import (
    add_limit_options,
    add_process_options,
    read_process_settings,
)
from tabnet.cli.options.kind_options import (
    add_game_options,
    add_kind_option,
    read_game_options,
    require_kind,
)
from tabnet.client.safe_text import clean_line

if TYPE_CHECKING:
    from tabnet.tournament.check.situations import SituationResult

DESCRIPTION = """\
Test a bot in every situation that can occur: a forced pass, two destinations, an opponent who
leaves, a lost connection, a long wait. Prints the bot's output, and each mistake with the line that
the bot sent. The check ends at an exception, and at a choose() that does not return. The exit code
is 1 after a mistake. BOT is a file, a folder that contains bot.py, the name of a bot that
comes with tabnet, or cmd: and a command, which reads from its environment where to play.
"""
EXAMPLE = """\
examples:
  tabnet check bots/first.py
  tabnet check 'cmd:node bots/plain.js'
"""
PATIENCE_S = 10.0
FIRST_LINES, LAST_LINES = 10, 10
"""The lines of a bot's output in one situation that are shown."""
CLEAR_LINE = "\x1b[2K"


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
    add_json_option(parser)
    process = parser.add_argument_group("the bot's process")
    add_process_options(process)
    add_limit_options(process)


def run(args: argparse.Namespace) -> int:
    """Print each situation with the bot's output and mistake, and return the exit code."""
    from tabnet.tournament.check.situations import check_bot

    require_kind(args.kind)
    settings, options = read_process_settings(args), read_game_options(args)
    is_faulty = False
    for result in check_bot(args.bot, args.kind, options, args.patience, settings, show_progress):
        if args.json:
            print_json(**describe_result(result))
        else:
            print_result(result)
        is_faulty = is_faulty or result.mistake is not None
    return 1 if is_faulty else 0


def show_progress(name: str, number: int, count: int) -> None:
    """Show in a terminal the situation that is being tried; its result replaces this line."""
    if sys.stdout.isatty():
        print(f"...    {name} ({number} of {count})", end="\r", flush=True)


def describe_result(result: SituationResult) -> dict[str, Any]:
    """Return the fields of a situation for `--json`."""
    mistake = result.mistake
    line = mistake.line.decode(errors="replace") if mistake and mistake.line else None
    return {
        "situation": result.name,
        "mistake": mistake and mistake.text,
        "sent_line": line,
        "ends_check": mistake is not None and mistake.ends_check,
        "output": result.output,
    }


def print_result(result: SituationResult) -> None:
    clear = CLEAR_LINE if sys.stdout.isatty() else ""
    print(f"{clear}{'ok   ' if result.mistake is None else 'WRONG'}  {result.name}", flush=True)
    lines = [clean_line(line) for line in result.output.rstrip().splitlines()]
    if result.mistake is not None and lines and lines[-1].endswith(clean_line(result.mistake.text)):
        del lines[-1]  # it is the mistake
    if len(lines) > FIRST_LINES + LAST_LINES:
        left_out = f"({len(lines) - FIRST_LINES - LAST_LINES} lines are left out)"
        lines = [*lines[:FIRST_LINES], left_out, *lines[-LAST_LINES:]]
    for line in lines:
        print(f"       | {line}")
    if result.mistake is not None:
        print(f"       {clean_line(result.mistake.text)}")
        if result.mistake.line is not None:
            print(f"       sent line: {clean_line(result.mistake.line.decode(errors='replace'))}")
        if result.mistake.ends_check:
            print("The check ends here.")
