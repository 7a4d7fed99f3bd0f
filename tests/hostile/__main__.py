"""`python -m tests.hostile`: what do hostile bots achieve, with and without each sandbox?

Prints a line for each way of being hostile, with the cause of the end of its games. A star marks
what should not be. The last lines count the processes that are left, and compare the exit codes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.tournament.play.hostile import test_lines, test_processes, test_time
from tests.tournament.play.hostile.tournaments import (
    Outcome,
    Theme,
    find_exit_code,
    find_wrong,
    play,
)

SANDBOXES = ("none", "landlock", "bwrap")
THEMES = (
    *(test_time.CLOCK, test_lines.LINES, test_lines.PLAYERS),
    *(test_processes.PROCESSES, test_processes.OUTPUT),
)


def main() -> int:
    """Play every theme in every sandbox; return 1 if anything should not be."""
    parser = argparse.ArgumentParser("python -m tests.hostile", description=__doc__)
    parser.add_argument("sandboxes", nargs="*", default=SANDBOXES, metavar="SANDBOX")
    sandboxes = parser.parse_args().sandboxes
    print_row("", sandboxes)
    wrong = [print_theme(theme, sandboxes) for theme in THEMES]
    print(f"{sum(wrong)} wrong" if any(wrong) else "Nothing is wrong.")
    return int(any(wrong))


def print_theme(theme: Theme, sandboxes: Iterable[str]) -> int:
    """Play a theme, print its lines, and return the number of wrong cells."""
    outcomes = []
    for sandbox in sandboxes:
        with tempfile.TemporaryDirectory() as folder:
            outcomes.append(play(Path(folder), theme, "--sandbox", sandbox))
    found = [find_wrong(theme, outcome) for outcome in outcomes]
    for name in (*theme.modes, "honest"):
        print_row(name, [describe(theme, outcome, name) for outcome in outcomes])
    codes = [
        f"exit code {each.exit_code}{'' if each.exit_code == find_exit_code(theme) else ' *'}"
        for each in outcomes
    ]
    left = [
        f"{len(each.left_processes)} left{' *' if each.left_processes else ''}" for each in outcomes
    ]
    print_row("", [", ".join(pair) for pair in zip(codes, left, strict=True)])
    return sum(map(len, found)) + sum("*" in each for each in (*codes, *left))


def describe(theme: Theme, outcome: Outcome, name: str) -> str:
    """Return the causes of the games of a bot, with a star if they are wrong."""
    wrong = find_wrong(theme, outcome).get(name)
    if wrong is not None:
        return f"{wrong} *"
    return "normal" if name == "honest" else theme.modes[name].cause


def print_row(name: str, cells: Iterable[str]) -> None:
    print(f"{name:26}", *(f"{cell:22}" for cell in cells), flush=True)


if __name__ == "__main__":
    sys.exit(main())
