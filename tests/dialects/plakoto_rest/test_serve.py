"""`tabnet serve` in a process of its own, and `curl` as the client."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.processes import serving, tabnet
from tests.dialects.plakoto_rest.curl import Curl, play
from tests.polling import until

README = Path(__file__).parents[3] / "README.md"


@contextmanager
def curl_client(folder, *options, room="club/"):
    """A server, and a client of a room."""
    with serving(folder, "--http-port", "0", *options) as server:
        yield server, Curl(f"http://{server.http}/plakoto/{room}")


@pytest.mark.slow
def test_curl_plays_a_whole_game(tmp_path):
    with curl_client(tmp_path, room="") as (_, anybody):
        players = {"W": anybody.sit_down("W", "Anna"), "B": anybody.sit_down("B", "Ben")}
        row = play(players)
        assert row["status"] == "ended"
        assert row["result"] in ("W", "B", "D")
        assert anybody.ask("POST", "board/")[0] == 200
        assert anybody.status()["status"] == "not active"


def test_the_commands_in_readme_begin_a_game(tmp_path):
    lines = re.findall(r"^curl .*/plakoto/.*$", README.read_text(encoding="utf-8"), re.MULTILINE)
    token, responses = "", []
    with serving(tmp_path, "--http-port", "0", "--house", "greedy") as server:
        for line in lines:
            command = line.replace("127.0.0.1:8008", server.http).replace("TOKEN", token)
            run = subprocess.run([*shlex.split(command), "-s"], capture_output=True, check=True)
            (row,) = json.loads(run.stdout)
            responses.append(row)
            token = row.get("token") or ""
    assert [row.get("username") for row in responses] == ["Anna", "greedy", None]
    assert responses[-1]["status"] == "started"


def test_a_killed_server_has_forgotten_nothing_that_it_acknowledged(tmp_path):
    with curl_client(tmp_path) as (server, anybody):
        players = {"W": anybody.sit_down("W", "Anna"), "B": anybody.sit_down("B", "Ben")}
        play(players, 5)
        paths = ("board/", "status/", "players/")
        before = [anybody.get(path) for path in paths]
        server.process.kill()
    with curl_client(tmp_path) as (_, anybody):
        players = {colour: Curl(anybody.url, each.token) for colour, each in players.items()}
        after = [anybody.get(path) for path in paths]
        assert without_times(after) == without_times(before)
        assert play(players, 5)["status"] == "started"
        assert players["B"].ask("POST", "board/")[0] == 200
        assert anybody.status()["status"] == "not active"


def without_times(responses):
    """Return rows without their times, which a restart moves."""
    times = {"last_change", "last_action"}
    return [
        [{k: v for k, v in row.items() if k not in times} for row in rows] for rows in responses
    ]


def test_a_clock_of_the_operator_ends_the_game_of_a_player_who_is_too_slow(tmp_path):
    with curl_client(tmp_path, "--plakoto-clock", "0.5") as (_, anybody):
        white = anybody.sit_down("W", "Anna")
        anybody.sit_down("B", "Ben")
        until(lambda: anybody.status()["status"] != "started")
        row = anybody.status()
        assert (row["status"], row["result"], row["p_turn"]) == ("aborded", "B", None)
        status, error = white.ask("PUT", "board/piece/1/15", x=2)
        assert (status, error) == (400, {"errormesg": "Game is not in action."})


@pytest.mark.parametrize("clock", ["0", "nan", "86401", "long"])
def test_a_clock_is_a_number_of_seconds(tmp_path, clock):
    ended = tabnet("serve", "--data", tmp_path, "--plakoto-clock", clock)
    assert ended.returncode == 2
    assert "--plakoto-clock" in ended.stderr
