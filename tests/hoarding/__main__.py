"""`python -m tests.hoarding`: how much of what a server keeps can one address hold?"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from tests.cli import processes
from tests.hoarding.attacks import (
    HOUSE_CLOCK,
    LONGEST_CLOCK,
    Held,
    bots_left,
    guessing,
    hold,
    house_games,
    private_waits,
    wait_for_bot,
)

OPTIONS = ("--memory", "--http-port", "0")


def main() -> int:
    """Run every attack against a server of its own, and print what it got."""
    parser = argparse.ArgumentParser(prog="python -m tests.hoarding", description=__doc__)
    parser.add_argument(
        "--tabnet", type=Path, default=processes.TABNET, help="the program to attack (%(default)s)"
    )
    parser.add_argument("--waits", type=int, default=3000, help="private waits (%(default)s)")
    args = parser.parse_args()
    processes.TABNET = args.tabnet
    with tempfile.TemporaryDirectory(prefix="tabnet-hoarding-") as folder:
        run(Path(folder), args.waits)
    return 0


def run(folder: Path, waits: int) -> None:
    """Run every attack."""
    with processes.serving(folder, *OPTIONS) as server:
        describe("private waits", hold(server.http, private_waits(waits)))
    for clock in (LONGEST_CLOCK, HOUSE_CLOCK):
        with processes.serving(folder, *OPTIONS) as server:
            describe(
                f"house games, {clock['move']} s a move", hold(server.http, house_games(12, clock))
            )
            print(f"  house bots left for another address: {' '.join(bots_left(server.http))}")
    with (
        processes.serving(folder, *OPTIONS) as server,
        guessing(server.http, "house-greedy.1", clients=20) as codes,
    ):
        seconds = wait_for_bot(server.tcp)
        came = "never came" if seconds is None else f"came after {seconds:.1f} s"
        print(f"wrong passwords for house-greedy.1 from 127.0.0.1: the bot {came}")
        print(f"  replies: {format_counts(codes)}")


def describe(what: str, outcome: Held) -> None:
    """Print the outcome of an attack."""
    print(f"{what}: {outcome.held} of {outcome.tried} held after {outcome.seconds:.1f} s")
    print(f"  refusals: {format_counts(outcome.codes)}", flush=True)


def format_counts(codes: Counter[str]) -> str:
    """Return counts as text, the most frequent first."""
    return ", ".join(f"{code} {number}" for code, number in codes.most_common()) or "none"


if __name__ == "__main__":
    raise SystemExit(main())
