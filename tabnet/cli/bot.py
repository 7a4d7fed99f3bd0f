"""`tabnet bot`: let a bot play on a server."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from typing import NoReturn

from tabnet.cli import main
from tabnet.cli.options.kind_options import add_game_options, add_kind_option, read_game_options
from tabnet.cli.options.server_options import (
    add_identity_options,
    add_server_options,
    ask_for_password,
)
from tabnet.client import bot
from tabnet.client.address import Address, Trust
from tabnet.client.bot_file import Bot, load_bot
from tabnet.client.bot_settings import BotSettings, Credentials
from tabnet.client.client_state import without_none
from tabnet.client.safe_text import clean_line
from tabnet.errors import Disconnected, StartError
from tabnet.server.core.players.nick_rules import HOUSE

DESCRIPTION = """\
Let a bot play. With --opponent it plays ten games against another bot on this machine, in both
seats; without, it plays on a server against the first opponent that asks for the same game. A bot
is a Python file, a folder that contains bot.py, or the name of a bot that comes with tabnet:
random, first, greedy, mixed, expectimax. Options follow a colon.
"""
EXAMPLE = """\
examples:
  tabnet bot mine.py --opponent greedy
  tabnet bot expectimax:depth=2 --nick deep --games 10
  tabnet bot bots/first.py --server tcp://127.0.0.1:45679 --group 7
"""
SERVER = "127.0.0.1:45678"
GAMES = 10
"""The number of games against an opponent that is named."""
BOTH_SEATS = (0, 1)
RESULTS = ("won", "drawn", "lost")
HOUSE_BOT = re.compile(rf"^{HOUSE}(.+)\.\d+$")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bot", metavar="BOT[:OPTIONS]", help="a file, a folder, or a name like greedy"
    )
    parser.add_argument(
        "--opponent",
        metavar="BOT",
        help="play against this bot: a file, folder or name; with --server, one of its house bots",
    )
    parser.add_argument(
        "--games", type=positive, help=f"the number of games (1, with --opponent {GAMES})"
    )
    add_server_options(
        parser,
        default=None,
        help=f"host:port, or tcp://host:port ({SERVER}; with --opponent a server of its own)",
    )
    add_identity_options(parser)
    add_kind_option(parser)
    add_game_options(parser)
    parser.add_argument("--group", type=int, default=1, help="play within a group (%(default)s)")
    clock = parser.add_mutually_exclusive_group()
    clock.add_argument("--clock", type=float, metavar="S", help="seconds for each move")
    clock.add_argument("--total", type=float, metavar="S", help="seconds for the whole game")


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too small: at least 1")
    return number


def run(args: argparse.Namespace) -> int:
    """Play, print each result and their sum, and return 0; raises `Disconnected`."""
    loaded = load_bot(args.bot)
    if args.opponent is None or args.server is not None:
        return _play(args, loaded)
    from tabnet.cli.temporary_server import run_server_in_thread
    from tabnet.tournament.play.bots.house_bot_processes import find_house_bots

    for option in ("nick", "ca", "fingerprint"):
        if getattr(args, option) is not None:
            raise StartError(f"--{option} is for a game on a server", hint="--server")
    opponents = find_house_bots([args.opponent])
    args.opponent = opponents[0].name
    args.retry_for = 0
    with run_server_in_thread(opponents) as args.server:
        return _play(args, loaded)


def _play(args: argparse.Namespace, loaded: Bot) -> int:
    games = args.games or (GAMES if args.opponent else 1)
    results: Counter[str] = Counter()
    opponent = args.opponent
    player = bot.BotPlayer(loaded, _make_bot_settings(args, games))
    for end in player.play():
        result = judge(end)
        results[result] += 1
        names = " and ".join(map(name_opponent, end.opponents))
        opponent = names if opponent in (None, names) else "others"
        print(clean_line(f"{result} against {names} ({end.reason}), game {end.seat.game}"))
        sys.stdout.flush()
    played = results.total()
    if played < games:
        text = f"the server closed the connection after {played} of {games} games"
        raise Disconnected(f"{text}: {player.bye}" if player.bye else text)
    counts = ", ".join(f"{results[result]} {result}" for result in RESULTS)
    print(clean_line(f"{loaded.name} against {opponent}: {counts} of {games}"))
    return 0


def _make_bot_settings(args: argparse.Namespace, games: int) -> BotSettings:
    clock = without_none(move=args.clock, total=args.total)
    join = without_none(
        kind=args.kind,
        group=args.group,
        clock=clock or None,
        opponent=args.opponent,
        **read_game_options(args),
    )
    return BotSettings(
        address=Address.parse(args.server or SERVER),
        join={"cmd": "join", **join, "auto": True},
        login=Credentials(args.nick, ask_for_password(args)) if args.nick else None,
        games=games,
        trust=Trust(args.ca, args.fingerprint),
        retry_for=args.retry_for,
        seats=BOTH_SEATS if args.opponent else (),
    )


def judge(end: bot.FinishedGame) -> str:
    """Return the result of a game for the bot, one of `RESULTS`."""
    return "drawn" if not end.winners else "won" if end.seat.nick in end.winners else "lost"


def name_opponent(nick: str) -> str:
    """Return a nick, or the name of the house bot that plays under it."""
    return HOUSE_BOT.sub(r"\1", nick)


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
