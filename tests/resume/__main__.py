"""`python -m tests.resume --kills 100`: does a killed and resumed tournament have equal results?"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.resume.killed_tournament import begin, differences, disturbed, undisturbed


def main() -> int:
    """Play tournaments with and without kills; return 1 if any result differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.resume", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how often (%(default)s)")
    parser.add_argument("--pairs", type=int, default=20, help="of each two bots (%(default)s)")
    parser.add_argument("--seats", type=int, default=2, help="of a game (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (%(default)s)")
    args = parser.parse_args()
    start, kills, tournaments, wrong = time.monotonic(), 0, 0, []
    folder = Path(tempfile.mkdtemp(prefix="tabnet-resume-"))
    while kills < args.kills:
        tournaments += 1
        seed = f"{args.seed} {tournaments}"
        alone, killed = (folder / f"{tournaments} {how}" for how in ("alone", "killed"))
        commands = [begin(each, seed, args.pairs, args.seats) for each in (alone, killed)]
        expected = undisturbed(alone, commands[0])
        actual, killed_times = disturbed(killed, commands[1], seed, most=args.kills - kills)
        kills += killed_times
        wrong += differences(expected, actual)
        print(f"tournament {tournaments}: killed {killed_times} times", flush=True)
    print(f"{kills} kills in {tournaments} tournaments, {time.monotonic() - start:.0f} s; {folder}")
    for line in wrong:
        print(f"DIFFERS: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
