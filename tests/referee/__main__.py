"""`python -m tests.referee --kills 20 --stops 2`: are the results those of an undisturbed run?

A killed referee process gets SIGKILL, a stopped one SIGSTOP: the runner replaces it after 30 s.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabnet.tournament.play import journal_file as journal
from tests.resume.killed_tournament import BOTS, TAB, begin, differences, results, undisturbed

PAUSE_S = (2.0, 4.0)
"""The time between two disturbances: a new referee process has played games by then."""
GIVE_UP_S = 1800


def main() -> int:
    """Play undisturbed and disturbed, and compare; return 1 if anything differs or is left."""
    parser = argparse.ArgumentParser(prog="python -m tests.referee", description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="processes to kill (%(default)s)")
    parser.add_argument("--stops", type=int, default=2, help="processes to stop (%(default)s)")
    parser.add_argument("--pairs", type=int, default=150, help="of each two bots (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (%(default)s)")
    args = parser.parse_args()
    start, folder = time.monotonic(), Path(tempfile.mkdtemp(prefix="tabnet-referee-"))
    in_peace = folder / "undisturbed"
    expected = undisturbed(in_peace, begin(in_peace, str(args.seed), args.pairs))
    signals = [signal.SIGKILL] * args.kills + [signal.SIGSTOP] * args.stops
    luck = random.Random(args.seed)
    luck.shuffle(signals)
    found, sent, left = disturbed(folder / "disturbed", str(args.seed), args.pairs, signals, luck)
    failures = journal.read_journal_file(folder / "disturbed").failures
    again = sum(map(len, failures.values()))
    print(f"{sent} of {len(signals)} signals, {again} games played again, ", end="")
    print(f"{left} processes left, {time.monotonic() - start:.0f} s; {folder}")
    wrong = differences(expected, found)
    for line in wrong:
        print(f"DIFFERS: {line}")
    return 1 if wrong or left or sent < len(signals) else 0


def disturbed(
    folder: Path, seed: str, pairs: int, signals: list[signal.Signals], luck: random.Random
) -> tuple[dict[str, object], int, int]:
    """Return the results, how many signals were sent, and how many processes are left."""
    mark = f"TEST_MARK={seed} {folder}"
    name, _, value = mark.partition("=")
    command = [sys.executable, "-m", "tabnet", "tournament", *BOTS, *TAB, "--concurrency", "4"]
    command += ["--env", name]
    with subprocess.Popen(
        [*command, "--seed", seed, "--pairs", str(pairs), "--out", folder],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, name: value},
    ) as runner:
        sent = 0
        while sent < len(signals) and runner.poll() is None:
            time.sleep(luck.uniform(*PAUSE_S))
            processes = referee_processes(runner.pid)
            if processes:
                os.kill(luck.choice(processes), signals[sent])
                print(f"{signals[sent].name}", flush=True)
                sent += 1
        _, said = runner.communicate(timeout=GIVE_UP_S)
    assert runner.returncode == 0, said
    assert said == "", said
    return results(folder), sent, len(marked(mark))


def referee_processes(runner: int) -> list[int]:
    """The referee processes that run: children of the runner that are not stopped."""
    found = []
    for folder in processes():
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            is_referee = b"referee_process.child" in (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if is_referee and int(parent) == runner and state in "RSD":
            found.append(int(folder.name))
    return found


def marked(mark: str) -> list[Path]:
    """The processes with this variable in their environment."""
    found = []
    for folder in processes():
        try:
            if mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(folder)
        except OSError:
            continue
    return found


def processes() -> list[Path]:
    """The folders of all processes."""
    return [folder for folder in Path("/proc").iterdir() if folder.name.isdecimal()]


if __name__ == "__main__":
    sys.exit(main())
