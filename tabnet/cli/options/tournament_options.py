"""The options of tournaments, for `tabnet tournament` and `tabnet.play_tournament`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from tabnet.cli.options.bot_process_options import (
    add_cpu_option,
    add_limit_options,
    add_process_options,
)
from tabnet.cli.options.dask_option import add_dask_option
from tabnet.cli.options.kind_options import (
    add_game_options,
    add_kind_option,
    read_game_options,
    require_kind,
)
from tabnet.errors import StartError
from tabnet.protocol.fields import is_clock_field
from tabnet.tournament.plan.plan import ELIMINATION, FORMATS

DEFAULT_BOTS = ("random", "first", "greedy", "mixed", "expectimax:1")
"""The bots of a tournament that names none."""
SEED_HELP = (
    "repeat the throws and boards of this seed; anyone who knows or guesses it knows them all "
    "(256 random bits, also with remote: bots)"
)
DEFAULT_SEATS = 2
DEFAULT_PAIRS = 10
DEFAULT_SPRT_PAIRS = 5000
HYPOTHESES = ("elo0", "elo1", "alpha", "beta")


def add_tournament_options(parser: argparse.ArgumentParser) -> None:
    """Add the bots and all options of `tabnet tournament`."""
    parser.add_argument(
        "bots", nargs="*", metavar="BOT", help="the bots (those that come with tabnet)"
    )
    add_kind_option(parser)
    add_game_options(parser)
    parser.add_argument(
        "--format", choices=FORMATS, default="round-robin", help="the pairing of bots (%(default)s)"
    )
    parser.add_argument("--seats", type=int, help=f"players in a game ({DEFAULT_SEATS})")
    parser.add_argument(
        "--pairs",
        type=int,
        metavar="N",
        help="pairs of games for each two bots, or groups for each three or four (10)",
    )
    parser.add_argument("--rounds", type=int, metavar="N", help="rounds of a swiss tournament")
    parser.add_argument(
        "--clock",
        type=parse_clock,
        default={"move": 5.0},
        metavar="S",
        help="seconds: 5 for each move, or 60+0.5 for the game plus each turn (5)",
    )
    parser.add_argument(
        "--max-moves",
        type=int,
        default=2000,
        metavar="N",
        help="throws, moves and passes after which a game is a draw (%(default)s)",
    )
    parser.add_argument("--seed", type=parse_seed, help=SEED_HELP)
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder of the results")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="continue this tournament")
    parser.add_argument(
        "--add", action="append", default=[], metavar="BOT", help="with --resume: one more bot"
    )
    parser.add_argument(
        "--tolerate", action="store_true", help="exit code 0 despite crashes and failed games"
    )
    running = parser.add_argument_group("running")
    _add_running_options(running)
    add_process_options(running)
    add_limit_options(running)
    add_cpu_option(running)
    add_dask_option(running)
    _add_sprt_options(parser.add_argument_group("with --format sprt"))


def _add_running_options(group: argparse._ArgumentGroup) -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    group.add_argument(
        "--concurrency",
        type=int,
        default=cores or 1,
        metavar="N",
        help="concurrent games (%(default)s, the cores of this machine)",
    )
    group.add_argument(
        "--host", default="127.0.0.1", help="the address for remote bots (%(default)s)"
    )


def _add_sprt_options(group: argparse._ArgumentGroup) -> None:
    for option, default, text in (
        ("--elo0", 0, "H0: stronger by this Elo"),
        ("--elo1", 20, "H1: stronger by this Elo"),
        ("--alpha", 0.05, "the probability of a type I error"),
        ("--beta", 0.05, "the probability of a type II error"),
    ):
        group.add_argument(option, type=float, default=default, help=f"{text} (%(default)g)")


def parse_clock(text: str) -> dict[str, float]:
    """Parse a clock, `5` or `60+0.5`, for argparse."""
    seconds, plus, increment = text.partition("+")
    try:
        clock = {"move": float(seconds)}
        if plus:
            clock = {"total": float(seconds), "increment": float(increment)}
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no clock, like 5 or 60+0.5") from None
    if not all(is_clock_field(name, value) for name, value in clock.items()):
        limits = "0.05 to 86400 seconds, and an increment of 0 to 3600"
        raise argparse.ArgumentTypeError(f"{text} is no clock: a clock has {limits}")
    return clock


def parse_seed(text: str) -> str:
    """Return a seed, which is hashed as UTF-8, for argparse."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("a seed is text in UTF-8") from None
    return text


def read_tournament_settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of a new tournament; raises `StartError`."""
    settings = {
        "seed": args.seed or None,
        "kind": args.kind,
        "options": read_game_options(args),
        "clock": args.clock,
        "format": args.format,
        "rounds": args.rounds,
        "max_moves": args.max_moves,
    }
    if args.format == ELIMINATION:
        return settings | _read_elimination_settings(args)
    is_sprt = args.format == "sprt"
    settings["pairs"] = args.pairs or (DEFAULT_SPRT_PAIRS if is_sprt else DEFAULT_PAIRS)
    settings["seats"] = DEFAULT_SEATS if args.seats is None else args.seats
    if is_sprt:
        settings["sprt"] = {name: getattr(args, name) for name in HYPOTHESES}
    return settings


def _read_elimination_settings(args: argparse.Namespace) -> dict[str, Any]:
    for option in ("pairs", "seats", "rounds"):
        if getattr(args, option) is not None:
            raise StartError(
                f"--{option} is not for --format elimination",
                hint="each group of players plays one game, until a final has been played",
            )
    return {"pairs": 1, "seats": require_kind(args.kind).seats[-1]}
