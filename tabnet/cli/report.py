"""`tabnet report`: write a tournament's results and report again."""

from __future__ import annotations

import argparse
from pathlib import Path

DESCRIPTION = """\
Write results.json, games.csv, crosstable.csv and report.html again from the journal in a
tournament's folder, and print the tables. This works at any time, also while the tournament runs or
after an interruption.
"""
EXAMPLE = """\
examples:
  tabnet report tournaments/first
  tabnet report tournaments/first --replays 50
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="the tournament's folder")
    parser.add_argument(
        "--replays",
        type=parse_megabytes,
        default=4.0,
        metavar="MB",
        help="the megabytes of games that the report can replay (%(default)g)",
    )


def parse_megabytes(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1000:
        raise argparse.ArgumentTypeError("from 0 to 1000 megabytes")
    return value


def run(args: argparse.Namespace) -> int:
    from tabnet.client.terminal.canvas import print_lines
    from tabnet.tournament.report.report_files import write_report
    from tabnet.tournament.report.text_report import format_report

    summary = write_report(args.folder, args.replays)
    print_lines(*format_report(summary, str(args.folder)).split("\n"), "")
    print_lines(f"The report is {args.folder / 'report.html'}")
    return 0
