"""The files on the command line of a `cmd:` bot are stored; installed programs are not."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from tabnet.errors import StartError
from tabnet.tournament.play.bots import command_files
from tabnet.tournament.play.bots.command_files import list_installed_paths
from tabnet.tournament.play.bots.entrants import find_bot
from tabnet.tournament.play.bots.local_bots import LocalBots, install_bot
from tests.tournament.run_games import nobody_left, play

EDITS_ITSELF = """
import pathlib, sys
sys.stderr.write("edited" if "a line" in pathlib.Path(__file__).read_text().splitlines() else "new")
with open(__file__, "a") as file:
    file.write("\\na line\\n")
with open(sys.argv[1], "a") as file:
    file.write("\\na line\\n")
sys.exit(1)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "main.py").write_text("print(1)\n")


def stored(command):
    return [(each.index, each.named) for each in find_bot("x", f"cmd:{command}").command_files]


def test_a_program_in_a_folder_and_files_after_it_are_stored():
    assert stored("./engine -v main.py") == [(0, "./engine"), (2, "main.py")]


def test_an_installed_program_is_not_stored(tmp_path, monkeypatch):
    assert stored("sh main.py") == [(1, "main.py")]
    assert stored("/bin/sh /bin/ls") == []
    assert stored(f"{shlex.quote(sys.executable)} -m main") == []
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert stored("engine main.py") == [(1, "main.py")]


def test_the_python_of_another_environment_is_not_stored(tmp_path):
    (tmp_path / "env" / "bin").mkdir(parents=True)
    (tmp_path / "env" / "pyvenv.cfg").touch()
    (tmp_path / "env" / "bin" / "python").symlink_to(sys.executable)
    assert stored("env/bin/python main.py") == [(1, "main.py")]


def test_the_paths_of_a_program_are_its_installation_and_not_the_folder_around_it(tmp_path):
    (tmp_path / "env" / "bin").mkdir(parents=True)
    (tmp_path / "env" / "bin" / "python").symlink_to("/bin/sh")
    paths = set(list_installed_paths(str(tmp_path / "env" / "bin" / "python")))
    assert {tmp_path / "env" / "lib", Path("/bin/sh").resolve()} < paths
    assert tmp_path / "env" not in paths
    assert set(list_installed_paths("/home/zp/.pyenv/shims/python")) == {
        Path("/home/zp/.pyenv"),
        Path("/home/zp/.pyenv/shims/python"),
    }


def test_a_file_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(command_files, "MAX_BYTES", 5)
    with pytest.raises(StartError, match=r"main\.py exceeds that") as raised:
        stored("sh main.py")
    assert "--sandbox-read" in raised.value.hint


def test_a_process_gets_copies_with_names_of_their_own(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "main.py").write_text("print(2)\n")
    local = install_bot(find_bot("x", "cmd:./engine main.py other/main.py"), tmp_path / "private")
    program, one, two = map(Path, local.command)
    assert os.access(program, os.X_OK)
    assert (one.read_text(), two.read_text()) == ("print(1)\n", "print(2)\n")
    said = f'File "{two}", line 1; {program}: not found'
    assert local.convert_to_user_paths(said) == 'File "other/main.py", line 1; ./engine: not found'


def test_a_change_of_the_file_does_not_reach_the_next_process(tmp_path):
    bot = find_bot("x", "cmd:sh main.py")
    (tmp_path / "main.py").write_text("print(3)\n")
    bots = LocalBots.create()
    assert Path(bots.install(bot).command[1]).read_text() == "print(1)\n"
    bots.remove()
    assert find_bot("x", "cmd:sh main.py").entrant.digest != bot.entrant.digest


@pytest.mark.slow
async def test_a_program_that_edits_its_files_changes_nothing(tmp_path, monkeypatch):
    (tmp_path / "edits.py").write_text(EDITS_ITSELF)
    (tmp_path / "data").write_text("data")
    with nobody_left(monkeypatch):
        source = f"cmd:{sys.executable} edits.py data"
        runner = await play(tmp_path / "it", ["first", source])
    details = {result.detail for result in runner.queue.results.values()}
    assert details == {"exit code 1: new"}
    assert (tmp_path / "edits.py").read_text() == EDITS_ITSELF
    assert (tmp_path / "data").read_text() == "data"
