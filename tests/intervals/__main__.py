"""`python -m tests.intervals`: how often the intervals of ratings hold the true strengths.

Each cell has three numbers: how many of the intervals of all bots, and of those of the best bot,
hold its true strength, and half the median width of the best bot's interval in Elo. The columns are
the numbers of pairs of every two bots.
"""

from __future__ import annotations

import argparse
import sys

from tests.intervals.coverage import FIELDS, GAMES, measure

PAIRS = (1, 2, 3, 5, 10, 30)
LEAST = 0.91
"""The least acceptable coverage; with 400 tournaments, the standard error is 0.011."""


def main() -> int:
    """Measure and print; return 1 if a coverage is too low."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.intervals",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tournaments", type=int, default=400, help="for each (%(default)s)")
    args = parser.parse_args()
    print(f"{'':34}" + "".join(f"{pairs:19}" for pairs in PAIRS))
    is_low = False
    for name, strengths in FIELDS.items():
        for games in GAMES:
            cells = [measure(strengths, pairs, games, args.tournaments) for pairs in PAIRS]
            print(f"{name:20}{games:14}" + "".join(f"{cell!s:>19}" for cell in cells), flush=True)
            for cell in cells:
                shares = (cell.held, cell.best_held)
                is_low |= any(sum(share) < LEAST * args.tournaments for share in shares)
    return int(is_low)


if __name__ == "__main__":
    sys.exit(main())
