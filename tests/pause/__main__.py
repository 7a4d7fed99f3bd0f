"""`python -m tests.pause`: is the time in which a process is stopped charged to nobody?"""

from __future__ import annotations

import argparse
import sys

import trio

from tests.pause import server, tournament


def main() -> int:
    """Stop a server and four tournaments; return 1 if it cost anybody time."""
    parser = argparse.ArgumentParser(prog="python -m tests.pause", description=__doc__)
    parser.add_argument(
        "--stop", type=float, default=10, help="seconds of each pause (%(default)s)"
    )
    args = parser.parse_args()
    found = [*trio.run(server.problems, args.stop), *tournament.problems(args.stop)]
    for problem in found:
        print(f"CHARGED: {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
