"""`tabnet ranking`: the best players of a group."""

from __future__ import annotations

import argparse

import attrs

from tabnet.cli.json_output import add_json_option, print_json
from tabnet.cli.options.kind_options import (
    add_kind_option,
    add_leaderboard_options,
    read_game_options,
)
from tabnet.cli.options.server_options import add_server_options, run_with_client
from tabnet.client.client_state import without_none
from tabnet.client.safe_text import clean_lines
from tabnet.protocol.frames import RankedPlayer

DESCRIPTION = """\
Show the ranking of a group: its best ten players by victories, or by points where some wins are
worth more than others. Each kind and size of game has its own ranking.
"""
EXAMPLE = "examples:\n"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--group", type=int, default=1, help="(%(default)s)")
    add_leaderboard_options(parser)
    add_kind_option(parser)
    add_json_option(parser)
    add_server_options(parser)


def run(args: argparse.Namespace) -> int:
    fields = without_none(kind=args.kind, group=args.group, **read_game_options(args))
    scores = run_with_client(args, lambda client: client.ranking(**fields))
    if args.json:
        print_json(**fields, players=[without_none(**attrs.asdict(score)) for score in scores])
    else:
        print(format_ranking(scores))
    return 0


def format_ranking(scores: tuple[RankedPlayer, ...]) -> str:
    if not scores:
        return "This ranking is empty: nobody has finished a game yet."
    width = max(len("player"), *(len(score.nick) for score in scores))
    by_points = scores[0].points is not None
    lines = [f"{'':3}  {'player':{width}}  victories  games{'  points' if by_points else ''}"]
    for place, score in enumerate(scores, 1):
        counts = f"{score.victories:9}  {score.games:5}"
        points = f"  {score.points:6}" if by_points else ""
        lines.append(f"{place:3}  {score.nick:{width}}  {counts}{points}")
    return clean_lines(lines)
