"""A tournament whose runner and referees are stopped while bots think and move."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.cli.processes import TABNET
from tests.pause.server import CLOCK_S

BOT = Path(__file__).with_name("thoughtful.py")
CLOCKS = (f"{CLOCK_S}", f"{CLOCK_S}+0.3")
BEGIN_S = 4.0
"""The time after which the games have begun."""
TIMEOUT_S = 120


def problems(stop_s: float) -> list[str]:
    """Return the games that a pause of the referees ended."""
    found = []
    for clock in CLOCKS:
        for concurrency in (1, 2):
            causes = played(stop_s, clock, concurrency)
            name = f"tournament, clock {clock}, {concurrency} at once"
            print(f"{name}: games ended by {dict(causes)}")
            if set(causes) - {"normal", "draw"}:
                found.append(f"{name}: {dict(causes)}")
    return found


def played(stop_s: float, clock: str, concurrency: int) -> Counter[str]:
    """Return the causes by which the games of an interrupted tournament ended."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "it"
        options = ["--clock", clock, "--concurrency", str(concurrency), "--seed", "s"]
        options += ["--size", "7", "--pairs", "1", "--tolerate", "--out", str(folder)]
        command = [TABNET, "tournament", BOT, BOT, *options]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as runner:
            time.sleep(BEGIN_S)
            referees = parents(runner.pid)
            assert len(referees) == (1 if concurrency == 1 else 1 + concurrency)
            for pid in referees:
                os.kill(pid, signal.SIGSTOP)
            time.sleep(stop_s)
            for pid in referees:
                os.kill(pid, signal.SIGCONT)
            runner.wait(TIMEOUT_S)
        games = json.loads((folder / "results.json").read_text())["games"]
    return Counter(game["cause"] for game in games)


def parents(pid: int) -> list[int]:
    """Return the process and its descendants, without those that have no child: the bots."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    children = [int(child) for each in threads for child in (each / "children").read_text().split()]
    return [pid, *(each for child in children for each in parents(child))] if children else []
