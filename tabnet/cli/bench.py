"""`tabnet bench`: benchmarks of the server, the rules and tournaments."""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

DESCRIPTION = """\
bench server: plays many games at once on its own server, in turns with the same server with
--memory and with a bare trio server that sends the same lines without a game. Prints commands and
moves a second, the time from an action to its update, CPU time per command of the server and of
the load client, and the ratios of the servers; then the memory of idle connections. Each figure is
from the median of three rounds.

bench flood: plays 50 games on its own server, in peace and under attack. Three attackers from
other loopback addresses open 1,000 connections and keep trying, send 10,000 bad lines a second,
and follow every game without reading. Prints the time from an action to its update in both cases,
the ratio, and how many connections of the attackers were refused or cut.

bench http: plays the same games over HTTP, with POST and server-sent events, and over plain TCP,
in turns on its own server. Prints the same figures for both and their ratios; then the memory of
idle streams.

bench dialects: measures each query of the dialects of other servers' clients, in turns with the
native command that answers the same question over the same transport. Prints the server's CPU time
for both, and the ratio.

bench tournament: plays tournaments of the bot random and of a bot that keeps no position, in two
kinds of games. In the same run it exchanges lines of the same lengths between as many processes,
without a game: the floor. Prints decisions a second and CPU time per decision, of the referees and
of the bots, and the ratios to the floor.

bench rules: plays random games of each kind by the rules alone, without a server, and counts the
tree of each from its start as tabnet perft does. Prints random games and actions a second, the
length of a random game, and leaves of the tree a second, all on one core.

All but bench rules need Linux and two cores.
"""
EXAMPLE = """\
examples:
  tabnet bench server
  tabnet bench server --games 50 --tls --seconds 5 --idle 0
  tabnet bench flood --seconds 10
  tabnet bench http --games 50 --idle 2000
  tabnet bench dialects --seconds 2
  tabnet bench tournament --pairs 300
  tabnet bench rules --seconds 2
"""

USUAL_GAMES = {"server": [1, 50, 500], "flood": [50], "http": [1, 50], "tournament": [2]}
RULES = "rules"
DIALECTS = "dialects"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=(*USUAL_GAMES, DIALECTS, RULES), help="the part to measure")
    parser.add_argument(
        "--games",
        type=int,
        nargs="+",
        help="games at once (1 50 500; flood: 50; http: 1 50; tournament: 2)",
    )
    parser.add_argument("--tls", action="store_true", help="server: only over TLS")
    parser.add_argument("--tcp", action="store_true", help="server: only over plain TCP")
    parser.add_argument(
        "--seconds",
        type=float,
        default=3,
        help="the length of each round, or of each measurement (%(default)s)",
    )
    parser.add_argument(
        "--pairs", type=int, default=100, help="tournament: pairs of games (%(default)s)"
    )
    parser.add_argument(
        "--idle", type=int, default=1000, help="server, http: idle connections (%(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    out = functools.partial(print, flush=True)
    if args.what == RULES:
        from tabnet.bench import rules
        from tabnet.games import GAMES

        rules.bench(GAMES.values(), args.seconds, out)
        return 0
    from tabnet.bench import dialects, flood, http, server, tournament
    from tabnet.errors import StartError

    if not Path("/proc/self/stat").exists():
        raise StartError("tabnet bench needs Linux: it reads CPU and memory from /proc")
    games = args.games or USUAL_GAMES.get(args.what, [])
    match args.what:
        case "flood":
            flood.bench(games, args.seconds, out)
        case "tournament":
            tournament.bench(args.pairs, games[0], out)
        case "http":
            http.bench(games, args.seconds, args.idle, out)
        case "server":
            ports = [port for port in ("tcp", "tls") if getattr(args, port)] or ["tcp", "tls"]
            server.bench(games, ports, args.seconds, args.idle, out)
        case _:
            dialects.bench(args.seconds, out)
    return 0
