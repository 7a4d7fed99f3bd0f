"""`tabnet bench`: what tabnet costs, measured here and now."""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

SUMMARY = "measure what tabnet costs"
DESCRIPTION = """\
bench server: plays many games at once against a server of its own, and beside it, in the same run,
against the same with --memory, and against a bare trio server that sends the same lines without a
game. Prints commands and moves a second, the time from an action to its pushed update, CPU per
command of the server and of the load, and the ratios of the servers; then the memory of idle
connections. Needs Linux and two cores.
"""
EXAMPLE = """\
examples:
  tabnet bench server
  tabnet bench server --games 50 --tls --seconds 5 --idle 0
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet bench`."""
    parser.add_argument("what", choices=("server",), help="what to measure")
    parser.add_argument(
        "--games", type=int, nargs="+", default=[1, 50, 500], help="how many at once (1 50 500)"
    )
    parser.add_argument("--tls", action="store_true", help="only over TLS")
    parser.add_argument("--tcp", action="store_true", help="only over plain TCP")
    parser.add_argument(
        "--seconds", type=float, default=3, help="of each round of load (%(default)s)"
    )
    parser.add_argument(
        "--idle", type=int, default=1000, help="how many idle connections to hold (%(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Measure; the exit code comes back."""
    from tabnet.bench.server import bench
    from tabnet.errors import StartError

    if not Path("/proc/self/stat").exists():
        raise StartError("tabnet bench needs Linux: it reads CPU and memory from /proc")
    doors = [door for door in ("tcp", "tls") if getattr(args, door)] or ["tcp", "tls"]
    bench(args.games, doors, args.seconds, args.idle, functools.partial(print, flush=True))
    return 0
