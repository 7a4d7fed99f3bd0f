"""Systems without Unix: modules, signals and functions that they lack are not needed at import."""

from __future__ import annotations

import re
import subprocess
import sys

from tabnet.cli import UNIX_ONLY
from tabnet.cli.help import find_chapter

GAME = '[GameType "21"]\n1. 11-15 23-19 *\n'
CLIENT = "--server tcp://127.0.0.1:1 --retry-for 0"
"""Clients come as far as to the server, which nobody runs here."""


def run_without_unix(*commands):
    """Import the modules and run commands in a Python without what only Unix has."""
    program = [sys.executable, "-m", "tests.client.without_unix", *commands]
    return subprocess.run(program, capture_output=True, text=True, check=True)


def test_client_bot_and_terminal_are_imported_and_a_game_is_replayed(tmp_path):
    (tmp_path / "game.pdn").write_text(GAME)
    shown = run_without_unix(f"replay {tmp_path / 'game.pdn'}", "perft draughts --depth 1")
    assert "Draughts: White (White) against Black (Black)" in shown.stdout
    assert f"0 replay {tmp_path / 'game.pdn'}\n" in shown.stdout
    assert shown.stdout.endswith("0 perft draughts --depth 1\n")
    assert shown.stderr == ""


def test_commands_that_need_unix_say_so_on_other_systems(tmp_path):
    shown = run_without_unix(
        f"tournament --out {tmp_path / 'new'}", "check first", "play", "bot first --opponent first"
    )
    assert [line.split()[0] for line in shown.stdout.splitlines()] == ["1"] * 4
    assert shown.stderr.splitlines() == [UNIX_ONLY] * 4


def test_the_chapter_on_windows_names_the_commands_that_need_no_unix():
    commands = {
        "bot": f"bot greedy {CLIENT}",
        "export": f"export 6219001c9cbefbc6 {CLIENT}",
        "verify": f"verify 6219001c9cbefbc6 {CLIENT}",
        "replay": f"replay 6219001c9cbefbc6 {CLIENT}",
        "ranking": f"ranking {CLIENT}",
        "watch": f"watch {CLIENT}",
        "perft": "perft tab --depth 1",
        "help": "help windows",
        "play": f"play {CLIENT}",
    }
    text = find_chapter("windows").read_text(encoding="utf-8")
    (named,) = re.findall(r"these commands work: (.*?)\.", text, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", named)) == set(commands)
    shown = run_without_unix(*commands.values())
    assert UNIX_ONLY not in shown.stderr
    assert shown.stderr.count("cannot connect to tcp://127.0.0.1:1") == 7
