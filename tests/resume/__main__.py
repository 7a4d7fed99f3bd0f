"""`python -m tests.resume --kills 100`: are the results those of a run that nobody disturbed?"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.resume.murder import begin, differences, disturbed, undisturbed


def main() -> int:
    """Play in peace and under fire, and compare; 1 if anything differs."""
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
        in_peace, killed = (folder / f"{tournaments} {how}" for how in ("in peace", "killed"))
        commands = [begin(each, seed, args.pairs, args.seats) for each in (in_peace, killed)]
        peace = undisturbed(in_peace, commands[0])
        fire, deaths = disturbed(killed, commands[1], seed, most=args.kills - kills)
        kills += deaths
        wrong += differences(peace, fire)
        print(f"tournament {tournaments}: killed {deaths} times", flush=True)
    print(f"{kills} kills in {tournaments} tournaments, {time.monotonic() - start:.0f} s; {folder}")
    for line in wrong:
        print(f"DIFFERS: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
