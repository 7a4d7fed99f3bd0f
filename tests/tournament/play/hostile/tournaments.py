"""Tournaments with hostile bots, played by the command `tabnet tournament`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from tabnet.tournament.records.entrants_and_results import CRASHES
from tests.tournament.run_games import MARK, living

QUICK_TABNET = (sys.executable, "-m", "tests.tournament.play.hostile.quick_tabnet")
HONEST = ("first", "random")
"""The bots that play fair: the first one plays against every other bot."""
TEST_S = 90
SHEBANG = f"#!{sys.executable} -IS\n"
PLACE = "PROGRAM"
"""The place of a mode's program in the text of a bot."""
BOT = """\
import json, os, signal, socket, sys, time


class Bot:
    def __init__(self):
        self.turns = 0
        self.connect()

    def connect(self):
        address = os.environ["TABNET_HOST"], int(os.environ["TABNET_PORT"])
        self.socket = socket.create_connection(address)
        self.lines = self.socket.makefile("rb")

    def send(self, **command):
        self.socket.sendall(json.dumps(command).encode() + b"\\n")

    def ask(self, **command):
        self.send(**command)
        for line in self.lines:
            if (frame := json.loads(line)).get("cmd") == command["cmd"]:
                return frame
        return None

    def register(self):
        nick, password = os.environ["TABNET_NICK"], os.environ["TABNET_PASSWORD"]
        self.send(cmd="register", nick=nick, password=password)

    def join(self):
        self.send(**json.loads(os.environ["TABNET_JOIN"]), feed="turns")

    def play(self):
        self.register()
        self.join()
        self.follow()

    def follow(self):
        for line in self.lines:
            frame = json.loads(line)
            if frame["type"] == "turn":
                self.turns += 1
                if decide(self, frame) is not DONE:
                    self.send(**frame["moves"][0])
            elif frame["type"] == "update" and "winner" in frame:
                self.join()


DONE = "it has answered itself, or will not"
decide = lambda bot, turn: None


PROGRAM

if __name__ == "__main__":
    Bot().play()
"""


@frozen
class Mode:
    """One way of being hostile."""

    program: str
    """Python code that defines `decide(bot, turn)`, called before each answer, or does more."""
    cause: str = "normal"
    """The cause with which the bot loses; `normal` if it only loses or wins by the rules."""
    detail: str = ""
    """Part of the detail of this cause."""
    is_whole: bool = False
    """True if the program is all of the bot's file, and plays no game."""
    other_cause: str = ""
    """Another possible cause, if that depends on the speed of the machine."""


@frozen
class Theme:
    """Bots that play in one tournament."""

    modes: Mapping[str, Mode]
    """By the names of the bots."""
    options: tuple[str, ...] = ()
    """Options of the tournament."""


@frozen
class Outcome:
    """The end of a tournament of hostile bots."""

    exit_code: int
    output: str
    games: tuple[dict[str, Any], ...]
    left_processes: tuple[str, ...]
    folder: Path


def play(folder: Path, theme: Theme, *options: str) -> Outcome:
    """Let the first honest bot play against each hostile bot and the other honest bot."""
    folder.mkdir(exist_ok=True)
    sources = [f"cmd:{write_bot(folder, name, mode)}" for name, mode in theme.modes.items()]
    mark = uuid.uuid4().hex
    out = folder / "it"
    terms = ["--format", "gauntlet", "--size", "7", "--pairs", "1", "--seed", "h"]
    terms += ["--concurrency", "2", "--env", MARK, "--out", str(out)]
    ended = subprocess.run(
        [*QUICK_TABNET, "tournament", *HONEST, *sources, *terms, *theme.options, *options],
        env={**os.environ, MARK: mark},
        capture_output=True,
        text=True,
        timeout=TEST_S,
        check=False,
    )
    left = tuple(living(mark))
    games: tuple[dict[str, Any], ...] = ()
    if (out / "results.json").exists():
        games = tuple(json.loads((out / "results.json").read_text())["games"])
    return Outcome(ended.returncode, ended.stdout + ended.stderr, games, left, out)


def write_bot(folder: Path, name: str, mode: Mode) -> Path:
    path = folder / name
    text = SHEBANG + mode.program if mode.is_whole else SHEBANG + BOT.replace(PLACE, mode.program)
    path.write_text(text)
    path.chmod(0o755)
    return path


def find_wrong(theme: Theme, outcome: Outcome) -> dict[str, str]:
    """Return what is wrong with the games of each bot; honest bots have the name `honest`."""
    wrong: dict[str, str] = {}
    expected = 2 * (len(theme.modes) + 1)
    if len(outcome.games) != expected:
        wrong["honest"] = f"{len(outcome.games)} of {expected} games: {outcome.output}"
    for game in outcome.games:
        name = next((each for each in game["seats"] if each not in HONEST), "honest")
        mode = theme.modes.get(name, Mode(""))
        winners = game["winners"]
        if mode.cause != "normal":
            seat = game["seats"].index(name)
            winners = [1 - seat] if game["culprit"] == seat else []
        causes = (mode.cause, mode.other_cause)
        if (
            game["cause"] not in causes
            or game["winners"] != winners
            or (mode.detail not in game["detail"])
        ):
            wrong[name] = f"{game['cause']}: {game['detail']}, won by seat {game['winners']}"
    return wrong


def find_exit_code(theme: Theme) -> int:
    """Return the exit code of a tournament in which each bot has its cause."""
    return int(any(mode.cause in CRASHES for mode in theme.modes.values()))


def check(folder: Path, theme: Theme, *options: str) -> Outcome:
    """Play, and assert that each hostile bot has its cause and that nobody else is affected."""
    outcome = play(folder, theme, *options)
    wrong = find_wrong(theme, outcome)
    assert not wrong, wrong
    assert outcome.exit_code == find_exit_code(theme), outcome.output
    assert not outcome.left_processes, outcome.left_processes
    return outcome
