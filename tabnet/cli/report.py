"""`tabnet report`: a tournament's results and its page, made again."""

from __future__ import annotations

import argparse
from pathlib import Path

SUMMARY = "make the report of a tournament again"
DESCRIPTION = """\
Make results.json, games.csv, crosstable.csv and report.html again from the journal in a
tournament's folder, and print the tables. It can be done at any time, also while the tournament
runs or after it was broken off.
"""
EXAMPLE = """\
examples:
  tabnet report tournaments/first
  tabnet report tournaments/first --replays 50
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet report`."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the tournament's folder")
    parser.add_argument(
        "--replays",
        type=megabytes,
        default=4.0,
        metavar="MB",
        help="how many megabytes of games the page may replay (%(default)g)",
    )


def megabytes(text: str) -> float:
    """A number that is not negative."""
    value = float(text)
    if not 0 <= value < 1000:
        raise argparse.ArgumentTypeError("from 0 to 1000 megabytes")
    return value


def run(args: argparse.Namespace) -> int:
    """Make it; the exit code comes back."""
    from tabnet.client.terminal.canvas import say
    from tabnet.tournament.report.report_files import report
    from tabnet.tournament.report.text_report import final_text

    say(*final_text(report(args.folder, args.replays)).split("\n"), "")
    say(f"The report is {args.folder / 'report.html'}")
    return 0
