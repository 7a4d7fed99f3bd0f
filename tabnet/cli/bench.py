"""`tabnet bench`: what tabnet costs, and what it bears, measured here and now."""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

SUMMARY = "measure what tabnet costs and bears"
DESCRIPTION = """\
bench server: plays many games at once against a server of its own, and beside it, in the same run,
against the same with --memory, and against a bare trio server that sends the same lines without a
game. Prints commands and moves a second, the time from an action to its pushed update, CPU per
command of the server and of the load, and the ratios of the servers; then the memory of idle
connections.

bench flood: plays 50 games against a server of its own, in peace, and while three attackers from
other loopback addresses open 1,000 connections and keep trying, send 10,000 bad lines a second, and
follow every game without reading. Prints the time from an action to its pushed update in both, the
ratio, and what became of the attackers.

bench http: plays the same games over the web door, with POST and server-sent events, and over plain
TCP, in turns on one server of its own. Prints the same of both and their ratios; then the memory of
idle streams.

bench tournament: two random bots play each other in tabnet tournament. Prints games and decisions
a second, CPU per decision of the referees and of the bots, and their shares of two cores.

bench rules: plays random games of each kind by the rules alone, without a server, and counts the
tree of each from its start like tabnet perft. Prints random games and actions a second, how long a
random game is, and leaves of the tree a second, all on one core.

All but rules need Linux and two cores.
"""
EXAMPLE = """\
examples:
  tabnet bench server
  tabnet bench server --games 50 --tls --seconds 5 --idle 0
  tabnet bench flood --seconds 10
  tabnet bench http --games 50 --idle 2000
  tabnet bench tournament --pairs 300
  tabnet bench rules --seconds 2
"""

USUAL_GAMES = {"server": [1, 50, 500], "flood": [50], "http": [1, 50], "tournament": [2]}
RULES = "rules"


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet bench`."""
    parser.add_argument("what", choices=(*USUAL_GAMES, RULES), help="what to measure")
    parser.add_argument(
        "--games",
        type=int,
        nargs="+",
        help="how many at once (1 50 500; flood: 50; http: 1 50; tournament: 2)",
    )
    parser.add_argument("--tls", action="store_true", help="server: only over TLS")
    parser.add_argument("--tcp", action="store_true", help="server: only over plain TCP")
    parser.add_argument(
        "--seconds",
        type=float,
        default=3,
        help="of each round of load, or of playing by the rules (%(default)s)",
    )
    parser.add_argument("--pairs", type=int, default=100, help="tournament: of games (%(default)s)")
    parser.add_argument(
        "--idle", type=int, default=1000, help="server, http: idle ones to hold (%(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Measure; the exit code comes back."""
    out = functools.partial(print, flush=True)
    if args.what == RULES:
        from tabnet.bench import rules
        from tabnet.games import GAMES

        rules.bench(GAMES.values(), args.seconds, out)
        return 0
    from tabnet.bench import flood, server, tournament, web
    from tabnet.errors import StartError

    if not Path("/proc/self/stat").exists():
        raise StartError("tabnet bench needs Linux: it reads CPU and memory from /proc")
    games = args.games or USUAL_GAMES[args.what]
    if args.what == "flood":
        flood.bench(games, args.seconds, out)
        return 0
    if args.what == "tournament":
        tournament.bench(args.pairs, games[0], out)
        return 0
    if args.what == "http":
        web.bench(games, args.seconds, args.idle, out)
        return 0
    doors = [door for door in ("tcp", "tls") if getattr(args, door)] or ["tcp", "tls"]
    server.bench(games, doors, args.seconds, args.idle, out)
    return 0
