"""`python -m tests.large_tournament FOLDER`: make the folder of a large tournament.

`tabnet report FOLDER` then shows what its report costs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.large_tournament.made_folder import make_folder


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.large_tournament",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder that does not exist")
    parser.add_argument("--bots", type=int, default=100, help="(%(default)s)")
    parser.add_argument("--games", type=int, default=100_000, help="(%(default)s)")
    parser.add_argument("--records", type=int, default=1500, help="games to replay (%(default)s)")
    args = parser.parse_args()
    make_folder(args.folder, args.bots, args.games, args.records)
    print(f"{args.games} games of {args.bots} bots are in {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
