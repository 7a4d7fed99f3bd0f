"""The environment of a bot has what the allow-list names, and no secret of the runner's."""

from __future__ import annotations

import json
import os
import sys

import pytest

from tabnet.errors import StartError
from tabnet.tournament.play.bots.bot_environment import (
    INHERITED,
    UNBUFFERED,
    build_environment,
    require_variables,
)
from tests.cli.processes import tabnet
from tests.tournament.run_games import nobody_left, play

REPORTER = """
import json, os, pathlib, sys
home, temporary = pathlib.Path(os.environ["HOME"]), pathlib.Path(os.environ["TMPDIR"])
was_empty = not [*home.iterdir(), *temporary.iterdir()]
(home / ".cache").write_text("left behind")
line = json.dumps({"environment": dict(os.environ), "was_empty": was_empty})
with open(sys.argv[1], "a") as file:
    file.write(line + "\\n")
sys.exit(1)
"""


def test_only_the_list_and_named_variables_are_inherited(monkeypatch, tmp_path):
    monkeypatch.setenv("CI_TOKEN", "secret")
    monkeypatch.setenv("MODEL", "large")
    monkeypatch.setenv("TABNET_PASSWORD", "the runner's own")
    environment = build_environment({"TABNET_KIND": "tab"}, ["MODEL", "UNSET"], tmp_path)
    assert environment["TABNET_KIND"] == "tab"
    assert environment["MODEL"] == "large"
    assert environment.keys() <= {
        *INHERITED,
        *UNBUFFERED,
        *("HOME", "TMPDIR", "MODEL", "TABNET_KIND"),
    }


def test_a_variable_that_is_not_set_cannot_be_passed(monkeypatch):
    monkeypatch.setenv("MODEL", "large")
    assert require_variables(["MODEL"]) == ("MODEL",)
    with pytest.raises(StartError, match=r"^--env NO_SUCH: there is no such environment variable$"):
        require_variables(["MODEL", "NO_SUCH"])


@pytest.mark.slow
async def test_each_process_of_a_tournament_has_its_own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("CI_TOKEN", "secret")
    program, seen = tmp_path / "reporter.py", tmp_path / "seen"
    program.write_text(REPORTER)
    with nobody_left(monkeypatch):
        await play(tmp_path / "it", ["first", f"cmd:{sys.executable} {program} {seen}"])
    processes = [json.loads(line) for line in seen.read_text().splitlines()]
    assert len(processes) == 2
    assert all(each["was_empty"] for each in processes)
    assert len({each["environment"]["HOME"] for each in processes}) == 2
    assert not any(os.access(each["environment"]["HOME"], os.F_OK) for each in processes)
    names = set().union(*(each["environment"] for each in processes))
    assert "CI_TOKEN" not in names
    assert {name for name in names if name.startswith("TABNET_")} >= {"TABNET_JOIN", "TABNET_NICK"}


@pytest.mark.parametrize("command", [["tournament"], ["serve", "--memory"]])
def test_commands_refuse_to_pass_a_variable_that_is_not_set(command):
    ended = tabnet(*command, "--env", "NO_SUCH_VARIABLE")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "tabnet: --env NO_SUCH_VARIABLE: there is no such environment variable\n"
    )
