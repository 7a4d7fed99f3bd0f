"""A tournament in a process of its own, killed at random moments and resumed each time."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from tabnet.tournament.play.journal_file import has_tournament

BOTS, TAB = ("first", "greedy", "random"), ["--size", "7"]
FISHERS, FISH = ("first", "random", "random", "first"), ["--kind", "fish"]
TIMEOUT_S = 300


def begin(folder: Path, seed: str, pairs: int, seats: int = 2) -> list[str]:
    """Return the command that begins a round-robin tournament."""
    game = TAB if seats == 2 else [*FISH, "--seats", str(seats)]
    bots = BOTS if seats == 2 else FISHERS
    return _begin(folder, seed, *bots, "--pairs", str(pairs), *game)


def begin_elimination(folder: Path, seed: str) -> list[str]:
    """Return the command that begins an elimination of nine players."""
    return _begin(folder, seed, *FISHERS, *FISHERS, "first", *FISH, "--format", "elimination")


def undisturbed(folder: Path, command: list[str]) -> dict[str, Any]:
    """Run a tournament without kills; return its results."""
    ended = subprocess.run(
        [*command, "--concurrency", "1"],
        check=False,
        capture_output=True,
        timeout=TIMEOUT_S,
    )
    assert ended.returncode == 0, ended.stderr.decode()
    return results(folder)


def disturbed(
    folder: Path, command: list[str], seed: str, most: int, longest_s: float = 2.5
) -> tuple[dict[str, Any], int]:
    """Kill and resume a tournament until it is over; return its results and the number of kills.

    Each runner is killed after `longest_s` at most, perhaps before its first game.
    """
    luck, kills = random.Random(seed), 0
    while True:
        with subprocess.Popen(
            _resume(folder) if has_tournament(folder) else command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as runner:
            try:
                _, message = runner.communicate(
                    timeout=luck.uniform(0.05, longest_s) if kills < most else TIMEOUT_S
                )
            except subprocess.TimeoutExpired:
                runner.kill()
                kills += 1
                continue
        assert runner.returncode == 0, message
        return results(folder), kills


def _begin(folder: Path, seed: str, *arguments: str) -> list[str]:
    options = ["--seed", seed, "--out", str(folder)]
    return [sys.executable, "-m", "tabnet", "tournament", *arguments, *options]


def _resume(folder: Path) -> list[str]:
    return [sys.executable, "-m", "tabnet", "tournament", "--resume", str(folder)]


def results(folder: Path) -> dict[str, Any]:
    """Return the results of a tournament, without the facts that differ from run to run."""
    row: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    del row["timing"]
    return row


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Describe the fields whose JSON differs."""
    return [
        f"{name}: {json.dumps(one.get(name))[:300]} and {json.dumps(other.get(name))[:300]}"
        for name in one | other
        if json.dumps(one.get(name)) != json.dumps(other.get(name))
    ]
