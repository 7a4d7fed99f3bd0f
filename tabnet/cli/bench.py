"""`tabnet bench`: benchmarks of the server, the rules and tournaments."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabnet.cli.json_output import add_json_option, print_json

if TYPE_CHECKING:
    from tabnet.bench.output import Output

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

bench cluster: plays tournaments on Dask clusters of this machine. Prints the games a second of two
workers and of the same machine without a cluster, with bots that work for 1 ms before each move;
of eight workers and of one, with bots that wait for 20 ms; and, with workers that sleep instead of
playing, the CPU time of the scheduler and of the runner. It needs the package `distributed`, and
takes some minutes.

bench rules: plays random games of each kind by the rules alone, without a server, and counts the
tree of each from its start as tabnet perft does. Prints random games and actions a second, the
length of a random game, and leaves of the tree a second, all on one core.

All but bench rules need Linux and two cores.
"""
EXAMPLE = """\
examples:
  tabnet bench server
  tabnet bench server --games 50 --tls --seconds 5 --idle 0
  tabnet bench server --games 1 --tcp --feed turns --idle 0
  tabnet bench flood --seconds 10
  tabnet bench http --games 50 --idle 2000
  tabnet bench dialects --seconds 2
  tabnet bench tournament --pairs 300
  tabnet bench cluster --seconds 40
  tabnet bench rules --seconds 2
"""

USUAL_GAMES = {"server": [1, 50, 500], "flood": [50], "http": [1, 50], "tournament": [2]}
USUAL_SECONDS, CLUSTER_SECONDS = 3.0, 40.0
CLUSTER = "cluster"
RULES = "rules"
DIALECTS = "dialects"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", choices=(*USUAL_GAMES, DIALECTS, CLUSTER, RULES), help="the part to measure"
    )
    parser.add_argument(
        "--games",
        type=int,
        nargs="+",
        help="games at once (1 50 500; flood: 50; http: 1 50; tournament: 2)",
    )
    parser.add_argument("--tls", action="store_true", help="server: only over TLS")
    parser.add_argument("--tcp", action="store_true", help="server: only over plain TCP")
    parser.add_argument(
        "--feed",
        choices=("updates", "turns"),
        default="updates",
        help="server: the feed of the players (%(default)s); bots have turns",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        help="the length of each round, or of each measurement "
        f"({USUAL_SECONDS:g}; cluster: {CLUSTER_SECONDS:g})",
    )
    parser.add_argument(
        "--pairs", type=int, default=160, help="tournament: pairs of games (%(default)s)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=50,
        help="cluster: workers that sleep instead of playing (%(default)s)",
    )
    parser.add_argument(
        "--idle", type=int, default=1000, help="server, http: idle connections (%(default)s)"
    )
    add_json_option(parser)


def run(args: argparse.Namespace) -> int:
    from tabnet.bench.output import Figures

    if not args.json:
        return _bench(args, _print_line)
    figures = Figures()
    code = _bench(args, figures)
    print_json(benchmark=args.what, figures=figures.found)
    return code


def _print_line(line: str, /, **_: Any) -> None:
    print(line, flush=True)


def _bench(args: argparse.Namespace, out: Output) -> int:
    seconds = args.seconds or (CLUSTER_SECONDS if args.what == CLUSTER else USUAL_SECONDS)
    if args.what == RULES:
        from tabnet.bench import rules
        from tabnet.games import GAMES

        rules.bench(GAMES.values(), seconds, out)
        return 0
    from tabnet.bench import dialects, flood, http, server, tournament
    from tabnet.errors import StartError

    if not Path("/proc/self/stat").exists():
        raise StartError("tabnet bench needs Linux: it reads CPU and memory from /proc")
    games = args.games or USUAL_GAMES.get(args.what, [])
    match args.what:
        case "flood":
            flood.bench(games, seconds, out)
        case "cluster":
            bench_cluster(args.workers, seconds, out)
        case "tournament":
            tournament.bench(args.pairs, games[0], out)
        case "http":
            http.bench(games, seconds, args.idle, out)
        case "server":
            ports = [port for port in ("tcp", "tls") if getattr(args, port)] or ["tcp", "tls"]
            server.bench(games, ports, args.feed, seconds, args.idle, out)
        case _:
            dialects.bench(seconds, out)
    return 0


def bench_cluster(workers: int, seconds: float, out: Output) -> None:
    from tabnet.bench.cluster.cluster_limits import measure_all_limits
    from tabnet.bench.cluster.tournament_rates import measure_overhead, measure_scaling
    from tabnet.errors import StartError

    if find_spec("distributed") is None:
        hint = "pip install 'tabnet-arena[cluster]'"
        raise StartError("bench cluster needs the package `distributed`", hint=hint)
    measure_overhead(seconds / 2, out)
    measure_scaling(seconds, out)
    measure_all_limits(workers, seconds / 4, out)
