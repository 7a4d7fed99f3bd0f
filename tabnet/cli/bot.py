"""`tabnet bot`: let a bot play on a server."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from tabnet.cli import main
from tabnet.cli.kind_options import add_game_options, add_kind_option, read_game_options
from tabnet.cli.server_options import add_identity_options, add_server_options, ask_for_password
from tabnet.client import bot
from tabnet.client.address import Address, Trust
from tabnet.client.bot_file import load_bot
from tabnet.client.bot_settings import BotSettings, Credentials
from tabnet.client.client_state import without_none
from tabnet.client.safe_text import clean_line
from tabnet.errors import Disconnected

DESCRIPTION = """\
Let a bot play on a server, against the first opponent that asks for the same game. A bot is a
Python file, a folder that contains bot.py, or the name of a bot that comes with tabnet: random,
first, greedy, mixed, expectimax. Options follow a colon.
"""
EXAMPLE = """\
examples:
  tabnet bot greedy
  tabnet bot expectimax:depth=2 --nick deep --games 10
  tabnet bot bots/first.py --server tcp://127.0.0.1:45679 --group 7
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bot", metavar="BOT[:OPTIONS]", help="a file, a folder, or a name like greedy"
    )
    add_server_options(parser)
    add_identity_options(parser)
    parser.add_argument("--games", type=int, default=1, help="the number of games (%(default)s)")
    add_kind_option(parser)
    add_game_options(parser)
    parser.add_argument("--group", type=int, default=1, help="play within a group (%(default)s)")
    clock = parser.add_mutually_exclusive_group()
    clock.add_argument("--clock", type=float, metavar="S", help="seconds for each move")
    clock.add_argument("--total", type=float, metavar="S", help="seconds for the whole game")


def run(args: argparse.Namespace) -> int:
    played = 0
    player = bot.BotPlayer(load_bot(args.bot), _make_bot_settings(args))
    for end in player.play():
        print(format_result(end), flush=True)
        played += 1
    if played < args.games:
        text = f"the server closed the connection after {played} of {args.games} games"
        raise Disconnected(f"{text}: {player.bye}" if player.bye else text)
    return 0


def _make_bot_settings(args: argparse.Namespace) -> BotSettings:
    clock = without_none(move=args.clock, total=args.total)
    join = without_none(
        kind=args.kind, group=args.group, clock=clock or None, **read_game_options(args)
    )
    return BotSettings(
        address=Address.parse(args.server),
        join={"cmd": "join", **join, "auto": True},
        login=Credentials(args.nick, ask_for_password(args)) if args.nick else None,
        games=args.games,
        trust=Trust(args.ca, args.fingerprint),
        retry_for=args.retry_for,
    )


def format_result(end: bot.FinishedGame) -> str:
    how = "drew" if not end.winners else "won" if end.seat.nick in end.winners else "lost"
    return clean_line(f"{how} {end.seat.game} as {end.seat.nick} ({end.reason})")


def run_bot(file: str) -> NoReturn:
    """Run a bot file as a program: `run_bot(__file__)` is its last line.

    `python mine.py [OPTIONS] --server ...` is `tabnet bot mine.py[:OPTIONS] --server ...`. If a
    tournament started the program, it plays in the tournament.
    """
    arguments = sys.argv[1:]
    if arguments and not arguments[0].startswith("-"):
        file += f":{arguments.pop(0)}"
    if not arguments and "TABNET_JOIN" in os.environ:
        sys.exit(bot.main(file))
    sys.exit(main(["bot", file, *arguments]))
