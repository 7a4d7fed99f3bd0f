"""`python -m tests.hostile`: can hostile bots harm others, with and without each sandbox?

Prints a line for each way of being hostile, with the cause of the end of its games. A star marks
a wrong result. Below each tournament are its exit code and the number of processes that it has
left. The last lines list what a bot could read, write and connect to.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.tournament.play.hostile import test_lines, test_parents, test_processes, test_time
from tests.tournament.play.hostile.attempts import ALLOWED, find_missing, make_program
from tests.tournament.play.hostile.test_reading_and_writing import has_arrived
from tests.tournament.play.hostile.tournaments import (
    Mode,
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
    parser.add_argument("sandboxes", nargs="*", metavar="SANDBOX", help=", ".join(SANDBOXES))
    sandboxes = []
    for sandbox in parser.parse_args().sandboxes or SANDBOXES:
        if missing := find_missing(sandbox):
            print(missing)
        else:
            sandboxes.append(sandbox)
    print_row("", sandboxes)
    wrong = sum(print_themes(sandboxes, [theme] * len(sandboxes)) for theme in THEMES)
    of_parents = {"none": test_parents.PARENTS}
    wrong += print_themes(
        sandboxes, [of_parents.get(each, test_parents.IN_SANDBOX) for each in sandboxes]
    )
    print_attempts(sandboxes)
    print(f"{wrong} wrong" if wrong else "Nothing is wrong.")
    return int(wrong > 0)


def print_themes(sandboxes: Sequence[str], themes: Sequence[Theme]) -> int:
    """Play the theme of each sandbox, print the lines, and return the number of wrong cells."""
    outcomes = []
    for sandbox, theme in zip(sandboxes, themes, strict=True):
        with tempfile.TemporaryDirectory() as folder:
            outcomes.append(play(Path(folder), theme, "--sandbox", sandbox))
    columns = [describe(theme, outcome) for theme, outcome in zip(themes, outcomes, strict=True)]
    for name in columns[0]:
        print_row(name, [column[name] for column in columns])
    return sum(cell.endswith("*") for column in columns for cell in column.values())


def describe(theme: Theme, outcome: Outcome) -> dict[str, str]:
    """Return the causes of the games of each bot, and the end; a star marks what is wrong."""
    causes = {name: mode.cause for name, mode in theme.modes.items()} | {"honest": "normal"}
    causes |= {name: f"{wrong} *" for name, wrong in find_wrong(theme, outcome).items()}
    is_right = outcome.exit_code == find_exit_code(theme) and not outcome.left_processes
    end = f"exit code {outcome.exit_code}, {len(outcome.left_processes)} left"
    return {**causes, "": end if is_right else f"{end} *"}


def print_attempts(sandboxes: Sequence[str]) -> None:
    """Print what a bot could do that it should not, in each sandbox."""
    columns = [set(try_all(sandbox)) - set(ALLOWED) for sandbox in sandboxes]
    for attempt in sorted(set().union(*columns)):
        print_row(attempt, ["could" if attempt in column else "-" for column in columns])


def try_all(sandbox: str) -> list[str]:
    """Return the names of the attempts at which a bot succeeds."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        tempfile.TemporaryDirectory() as folder,
    ):
        udp.bind(listener.getsockname())
        udp.setblocking(False)
        Path(folder, "beside.txt").touch()
        os.environ["TOKEN_OF_TEST"] = "a secret"  # of the runner, as a bot would look for it
        program = make_program(folder, listener.getsockname()[1])
        theme = Theme({"attempts": Mode(program, is_whole=True)})
        outcome = play(Path(folder), theme, "--sandbox", sandbox)
        is_sent = has_arrived(udp)  # from a network namespace a bot sends it to nobody
    details = {game["detail"] for game in outcome.games if "attempts" in game["seats"]}
    done = ", ".join(details).rpartition("could: ")[2].split(", ")
    return [name for name in done if name != "UDP" or is_sent]


def print_row(name: str, cells: Iterable[str]) -> None:
    print(f"{name:26}", *(f"{cell:22}" for cell in cells), flush=True)


if __name__ == "__main__":
    sys.exit(main())
