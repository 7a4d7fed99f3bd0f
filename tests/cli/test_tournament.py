"""`tabnet tournament`, as a user starts it."""

from __future__ import annotations

import json
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
import uuid
from contextlib import contextmanager

import pytest

from tabnet.cli.help import find_chapter
from tabnet.tournament.records.journal_lines import JOURNAL
from tests.cli.processes import TABNET, call_main, tabnet
from tests.polling import TIMEOUT_S, until
from tests.tournament.run_games import MARK, PASS_VARIABLES, faulty, living

SMALL = ["--size", "7", "--pairs", "1", "--seed", "t"]


def test_a_tournament_prints_its_table(tmp_path):
    ended = tabnet("tournament", "first", "greedy", *SMALL, "--out", tmp_path / "it")
    assert ended.returncode == 0, ended.stderr
    assert "Tab, size 7: 2 bots, 2 games" in ended.stdout
    assert re.search(r"^1  \w+ ", ended.stdout, re.MULTILINE)
    told = json.loads((tmp_path / "it" / "results.json").read_text())
    assert len(told["games"]) == 2
    assert (tmp_path / "it" / "report.html").exists()


def test_three_bots_play_in_all_orders(tmp_path):
    bots = ["first", "random", "first"]
    options = ["--kind", "fish", "--rows", "4", "--seats", "3", "--pairs", "1"]
    ended = tabnet("tournament", *bots, *options, "--out", tmp_path / "it")
    assert ended.returncode == 0, ended.stderr
    assert "Fish, rows 4: 3 bots, 6 games" in ended.stdout
    told = json.loads((tmp_path / "it" / "results.json").read_text())
    assert len({tuple(game["seats"]) for game in told["games"]}) == 6


ELIMINATION = ["--kind", "fish", "--format", "elimination"]


def test_an_elimination_prints_its_rounds_as_the_manual_shows_them(tmp_path):
    chapter = find_chapter("tournaments").read_text(encoding="utf-8")
    command, rounds = re.search(
        r"    tabnet (tournament [^\n]*--seed spring)\n\n```text\n(.*?)```", chapter, re.DOTALL
    ).groups()
    ended = tabnet(*command.split(), "--out", tmp_path / "it")
    assert ended.returncode == 0, ended.stderr
    assert f"Fish: 6 bots, 3 games\n\n{rounds}" in ended.stdout
    values = json.loads((tmp_path / "it" / "results.json").read_text())
    assert sorted(game["round"] for game in values["games"]) == [1, 1, 2]
    assert '<section id="rounds">' in (tmp_path / "it" / "report.html").read_text()


def test_an_entrant_that_does_not_connect_sets_the_exit_code(tmp_path):
    bot = tmp_path / "bad.py"
    bot.write_text("def choose(state, moves, left):\n    retrun moves[0]\n")
    ended = tabnet("tournament", "first", bot, "random", *ELIMINATION, "--out", tmp_path / "it")
    assert ended.returncode == 1
    assert f"\nbad did not connect: {bot}:2: invalid syntax\n" in ended.stdout
    assert "Round 1: 2 players" in ended.stdout
    again = tabnet("tournament", "--resume", tmp_path / "it", "--tolerate")
    assert again.returncode == 0
    added = tabnet("tournament", "--resume", tmp_path / "it", "--add", "greedy")
    assert added.returncode == 1
    assert "an elimination that has begun takes no further entrant" in added.stderr


@pytest.fixture
def mark(monkeypatch):
    """Return a string that identifies the processes of a test."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)
    monkeypatch.setenv("TEST_CLOCK", "1")
    return mark


def has_results(folder):
    journal = folder / "journal.jsonl"
    return journal.exists() and b'"result"' in journal.read_bytes()


def test_ctrl_c_stops_a_tournament_and_prints_the_resume_command(tmp_path, mark):
    folder = tmp_path / "it"
    bots = ["first", "greedy", faulty("ignores_sigterm")]
    options = [
        "--size",
        "7",
        "--clock",
        "60",
        "--concurrency",
        "6",
        "--out",
        folder,
        *PASS_VARIABLES,
    ]
    command = [TABNET, "tournament", *bots, *options, *PASS_VARIABLES]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as runner:
        until(lambda: has_results(folder))
        runner.send_signal(signal.SIGINT)
        start = time.monotonic()
        _, message = runner.communicate(timeout=TIMEOUT_S)
    assert time.monotonic() - start < 2
    assert runner.returncode == 130
    assert f"To continue: tabnet tournament --resume {folder}" in message
    assert living(mark) == []


def test_no_process_survives_a_killed_runner(tmp_path, mark):
    bots = ["first", "greedy", faulty("ignores_sigterm")]
    options = [
        "--size",
        "7",
        "--clock",
        "60",
        "--concurrency",
        "6",
        "--out",
        tmp_path / "it",
        *PASS_VARIABLES,
    ]
    with subprocess.Popen([TABNET, "tournament", *bots, *options, *PASS_VARIABLES]) as runner:
        until(lambda: has_results(tmp_path / "it"))
        runner.kill()
    until(lambda: not living(mark))


def test_a_crash_sets_the_exit_code_unless_tolerated(tmp_path, mark):
    bots = ["first", faulty("crashes_at_move_20")]
    ended = tabnet("tournament", *bots, *SMALL, "--out", tmp_path / "it", *PASS_VARIABLES)
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


@contextmanager
def waiting_for_zp(folder, monkeypatch):
    """A tournament to which zp is called; gives its process, the address, fingerprint, password."""
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    command = [TABNET, "tournament", "first", "remote:zp", *SMALL, "--out", folder / "it"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as runner:
        called = r"waiting for zp at (\S+) with TLS, .*sha256:(\w+), password (\w+)"
        found = next(filter(None, (re.search(called, line) for line in runner.stdout)))
        yield runner, *found.groups()


def test_a_remote_bot_plays_in_a_tournament(tmp_path, monkeypatch):
    with waiting_for_zp(tmp_path, monkeypatch) as (runner, address, fingerprint, password):
        bot = tabnet(
            *("bot", "random", "--server", address, "--fingerprint", fingerprint, "--games", 2),
            *("--nick", "zp", "--password", password),
        )
        out, _ = runner.communicate(timeout=TIMEOUT_S)
    assert bot.returncode == 0, bot.stderr
    assert runner.returncode == 0
    assert "zp" in out
    assert "2 games" in out
    games = json.loads((tmp_path / "it" / "results.json").read_text())["games"]
    assert len({game["dice_secret"] for game in games}) == 2
    for sentence in (
        "Games with zp are not mirrored",
        "from random bits and not from the seed",
    ):
        assert sentence in out
        assert sentence in (tmp_path / "it" / "report.html").read_text()
    journal, *_ = (tmp_path / "it" / JOURNAL).read_text().splitlines()
    for path in (tmp_path / "it").rglob("*.*"):
        assert path.name == JOURNAL or json.loads(journal)["secret"] not in path.read_text()
    for path in (tmp_path / "it" / "games").iterdir():
        verified = tabnet("verify", path)
        assert (verified.returncode, verified.stderr) == (0, "")
        assert "throws: all follow from the secret in results.json" in verified.stdout


def test_errors_of_a_remote_bot_are_reported(tmp_path, monkeypatch):
    with waiting_for_zp(tmp_path, monkeypatch) as (runner, address, _, password):
        trusting = ssl.create_default_context(cafile=tmp_path / "tabnet" / "cert.pem")
        trusting.check_hostname = False
        with (
            socket.create_connection(address.rsplit(":", 1), TIMEOUT_S) as plain,
            trusting.wrap_socket(plain) as connected,
            connected.makefile() as lines,
        ):
            join = '{"cmd":"join"}\n'
            register = f'{{"cmd":"register","nick":"zp","password":"{password}"}}\n'
            for line in lines:
                for seen, answer in (
                    *(('"type":"hello"', register + join), ('"winner":', join)),
                    ('"type":"update","game"', "gibberish\n"),
                ):
                    if seen in line:
                        connected.sendall(answer.encode())
                        break
            runner.communicate(timeout=TIMEOUT_S)
    logs = [path.read_text() for path in (tmp_path / "it" / "logs").iterdir()]
    assert any("> gibberish" in log and '< {"type":"update"' in log for log in logs)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--add", "first"], "--add needs a tournament to resume"),
        (["first", "--resume", "x"], "--resume uses the bots"),
        (["--resume", "nowhere"], "there is no tournament in nowhere"),
        (["first", "second"], "there is no bot 'second'"),
        (["first", "--out", "x"], "at least two entrants"),
        (["--concurrency", "0"], "at least 1"),
        (["--clock", "soon"], "--clock: soon is no clock, like 5 or 60+0.5"),
        *(
            (["--clock", clock, "--out", "x"], f"--clock: {clock} is no clock: a clock has 0.05 to")
            for clock in ("0", "0.04", "86401", "nan", "inf", "0+1", "60+3601", "1+-1")
        ),
        (["--size", "8", "--out", "x"], "size"),
        (["--rows", "8", "--out", "x"], "no option 'rows'"),
        (["--kind", "chess", "--out", "x"], "chess"),
        (["--seats", "3", "--out", "x"], "Tab is not for 3"),
        (["first", "random", "--kind", "fish", "--seats", "3"], "3 seats, and here are 2 entrants"),
        (
            ["--kind", "fish", "--seats", "3", "--format", "swiss"],
            "swiss is for games of two seats",
        ),
        ([*ELIMINATION, "--pairs", "2"], "--pairs is not for --format elimination"),
        ([*ELIMINATION, "--seats", "4"], "--seats is not for --format elimination"),
        ([*ELIMINATION, "--rounds", "1"], "--rounds is not for --format elimination"),
        (["--format", "elimination"], "for games of more than two players (--kind fish)"),
        (["cmd:nothing-like-this", "first"], "there is no program nothing-like-this"),
        (["remote:", "first", "--out", "x"], "names nobody"),
    ],
)
def test_invalid_options_are_reported_in_one_sentence(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    ended = call_main("tournament", *arguments)
    assert ended.returncode in (1, 2)
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_program_in_any_language_plays(tmp_path):
    assert sys.executable in faulty("good")
    ended = tabnet("tournament", "first", faulty("good"), *SMALL, "--out", tmp_path / "it")
    assert ended.returncode == 0, ended.stdout + ended.stderr
