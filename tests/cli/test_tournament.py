"""`tabnet tournament`, as a user starts it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.processes import PATIENCE_S, TABNET, tabnet
from tests.tournament.arenas import MARK, faulty, living

SMALL = ["--size", "7", "--pairs", "1", "--seed", "s"]


def test_bots_play_and_the_table_is_printed(tmp_path):
    ended = tabnet("tournament", "first", "greedy", *SMALL, "--out", tmp_path / "it")
    assert ended.returncode == 0, ended.stderr
    assert "Tab, size 7: 2 bots, 2 games" in ended.stdout
    assert re.search(r"^1  \w+ ", ended.stdout, re.MULTILINE)
    told = json.loads((tmp_path / "it" / "results.json").read_text())
    assert len(told["games"]) == 2
    assert (tmp_path / "it" / "report.html").exists()


@pytest.fixture
def mark(monkeypatch):
    """What the processes of a test can be told by."""
    monkeypatch.setenv(MARK, "of this test")
    monkeypatch.setenv("TEST_CLOCK", "1")
    return "of this test"


def test_ctrl_c_ends_everything_at_once_and_says_how_to_go_on(tmp_path, mark):
    folder = tmp_path / "it"
    bots = ["first", "greedy", faulty("ignores_sigterm")]
    options = ["--size", "7", "--clock", "60", "--concurrency", "6", "--out", folder]
    command = [TABNET, "tournament", *bots, *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as runner:
        journal = folder / "journal.jsonl"
        deadline = time.monotonic() + PATIENCE_S
        while not (journal.exists() and b'"result"' in journal.read_bytes()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        runner.send_signal(signal.SIGINT)
        start = time.monotonic()
        _, said = runner.communicate(timeout=PATIENCE_S)
    assert time.monotonic() - start < 2
    assert runner.returncode == 130
    assert f"To go on: tabnet tournament --resume {folder}" in said
    assert living(mark) == []


def test_when_the_runner_is_killed_nobody_goes_on(tmp_path, mark):
    bots = ["first", "greedy", faulty("ignores_sigterm")]
    options = ["--size", "7", "--clock", "60", "--concurrency", "6", "--out", tmp_path / "it"]
    with subprocess.Popen([TABNET, "tournament", *bots, *options]) as runner:
        journal = tmp_path / "it" / "journal.jsonl"
        deadline = time.monotonic() + PATIENCE_S
        while not (journal.exists() and b'"result"' in journal.read_bytes()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        runner.kill()
    while living(mark):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_crash_is_an_exit_code_unless_it_is_tolerated(tmp_path, mark):
    bots = ["first", faulty("crashes_at_move_20")]
    ended = tabnet("tournament", *bots, *SMALL, "--out", tmp_path / "it")
    assert ended.returncode == 1
    assert "2 games: a bot's process ended in the middle of the game" in ended.stdout
    again = tabnet("tournament", "--resume", tmp_path / "it", "--tolerate")
    assert again.returncode == 0
    assert living(mark) == []


def test_a_bot_that_cannot_be_loaded_is_reported_with_its_line(tmp_path):
    bot = tmp_path / "bad.py"
    bot.write_text("def choose(state, moves, left):\n    retrun moves[0]\n")
    ended = tabnet("tournament", "first", bot, *SMALL, "--out", tmp_path / "it")
    assert ended.returncode == 1
    assert ended.stderr.endswith(f"tabnet: {bot}:2: invalid syntax\n")


def test_somebody_plays_from_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    bots = ["first", "remote:zp"]
    command = [TABNET, "tournament", *bots, *SMALL, "--out", tmp_path / "it"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as runner:
        for line in runner.stdout:
            found = re.search(
                r"waiting for zp at (\S+) with TLS, .*sha256:(\w+), password (\w+)", line
            )
            if found:
                break
        address, fingerprint, password = found.groups()
        bot = tabnet(
            *("bot", "random", "--server", address, "--fingerprint", fingerprint, "--games", 2),
            *("--nick", "zp", "--password", password),
        )
        out, _ = runner.communicate(timeout=PATIENCE_S)
    assert bot.returncode == 0, bot.stderr
    assert runner.returncode == 0
    assert "zp" in out
    assert "2 games" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--add", "first"], "--add is for a tournament that was begun before"),
        (["first", "--resume", "x"], "--resume goes on with the bots"),
        (["--resume", "nowhere"], "there is no tournament in nowhere"),
        (["first", "second"], "there is no bot 'second'"),
        (["first", "--out", "x"], "at least two entrants"),
        (["--concurrency", "0"], "at least 1"),
        (["--clock", "soon"], "invalid clock value"),
        (["--size", "8", "--out", "x"], "size"),
        (["--kind", "chess", "--out", "x"], "chess"),
        (["cmd:nothing-like-this", "first"], "there is no program nothing-like-this"),
        (["remote:", "first", "--out", "x"], "names nobody"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(tmp_path, arguments, said):
    ended = tabnet("tournament", *arguments, cwd=tmp_path)
    assert ended.returncode in (1, 2)
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_program_in_any_language_plays(tmp_path):
    assert sys.executable in faulty("good")
    ended = tabnet("tournament", "first", faulty("good"), *SMALL, "--out", tmp_path / "it")
    assert ended.returncode == 0, ended.stdout + ended.stderr
