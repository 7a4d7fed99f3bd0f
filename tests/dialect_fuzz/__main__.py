"""`python -m tests.dialect_fuzz draughts`: can anything that a client sends harm other clients?

Opens thousands of connections to a port that send anything at all. Meanwhile honest clients play.
Prints how long their requests take with and without the load.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.dialect_fuzz.dialects import DIALECTS
from tests.dialect_fuzz.driver import Outcome, fuzz
from tests.dialect_fuzz.honest import format_latencies

ALONE_S = 10


def main() -> int:
    """Fuzz the dialects; 1 when something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.dialect_fuzz", description=__doc__)
    parser.add_argument("dialects", nargs="*", metavar="DIALECT", help=", ".join(DIALECTS))
    parser.add_argument("--connections", type=int, default=10_000, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="repeat a run")
    args = parser.parse_args()
    if unknown := set(args.dialects) - set(DIALECTS):
        parser.error(f"{', '.join(unknown)}: the dialects are {', '.join(DIALECTS)}")
    is_clean = True
    for name in args.dialects or DIALECTS:
        print(f"{name}: {args.connections} connections, --seed {args.seed}", flush=True)
        with tempfile.TemporaryDirectory(prefix="tabnet-fuzz-") as folder:
            outcome = fuzz(name, args.connections, args.seed, Path(folder), ALONE_S)
        report(outcome)
        is_clean &= not outcome.log
    return 0 if is_clean else 1


def report(outcome: Outcome) -> None:
    """Print an outcome."""
    for code, times in outcome.codes.most_common():
        print(f"{times:9} {code}")
    print("honest clients before the load:", *format_latencies(outcome.before), sep="\n")
    print("honest clients during the load:", *format_latencies(outcome.during), sep="\n")
    print(f"memory: {outcome.memory_before} MB before, {outcome.memory_after} MB after")
    print(f"warnings and errors of the server: {outcome.log or 'none'}")
    print(f"{outcome.seconds:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
