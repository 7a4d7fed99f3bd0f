"""`python -m tests.large_tournament FOLDER`: the cost of a tournament of many bots and games.

It makes FOLDER/bots and FOLDER/trial, the folder of a tournament that has almost been played, and
prints the time of `tabnet report`. Then it plays on with the live table, and prints how long the
runner was stopped: in time, which other programs lengthen, and in processor time.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tabnet.tournament.report.report_files import write_report
from tabnet.tournament.report.text_report import format_report
from tests.large_tournament.made_folder import enter_bots, make_folder
from tests.large_tournament.stalls import play_on


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
    parser.add_argument("--seconds", type=float, default=60, help="of playing on (%(default)g)")
    args = parser.parse_args()
    trial = args.folder / "trial"
    if not trial.exists():
        entrants = enter_bots(args.folder / "bots", args.bots)
        make_folder(trial, entrants, args.games, args.records)
    began, cpu = time.monotonic(), time.process_time()
    format_report(write_report(trial))
    print(f"report: {time.monotonic() - began:.1f} s, CPU {time.process_time() - cpu:.1f} s")
    play_on(trial, args.seconds).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
