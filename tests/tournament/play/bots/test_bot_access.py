"""The rights of a bot in a sandbox: its own files, and never the tournament's folder or /proc."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tabnet.errors import StartError
from tabnet.tournament.play.bots.bot_access import make_access, require_hidden, require_readable
from tabnet.tournament.play.bots.denied_files import ADVICE, explain_denied_files
from tabnet.tournament.play.bots.entrants import find_bot
from tabnet.tournament.play.bots.local_bots import install_bot
from tabnet.tournament.play.bots.process_settings import ProcessSettings
from tabnet.tournament.play.sandbox.host import choose_sandbox
from tabnet.tournament.play.sandbox.policy import AUTO, NONE, SYSTEM, find_containing
from tests.__main__ import ROOT
from tests.cli.processes import tabnet

VARIABLES = {"TABNET_SOCKET": "/tmp/x/socket", "TABNET_PORT": "4000"}
CHOOSE = "def choose(state, moves, left):\n    return moves[0]\n"
needs_sandbox = pytest.mark.skipif(
    choose_sandbox(AUTO).used == NONE, reason="this machine has no sandbox"
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(CHOOSE)


def access_of(source, tmp_path, **variables):
    local = install_bot(find_bot("mine", source), tmp_path / "private")
    return make_access(local, VARIABLES | variables, [])


def test_a_bot_file_reads_its_copy_and_uses_the_local_socket_alone(tmp_path):
    access = access_of("mine.py", tmp_path)
    assert access.is_local
    assert access.connect == ()
    assert {str(tmp_path / "private" / "bot"), "/tmp/x/socket"} <= set(access.read)
    assert set(SYSTEM).isdisjoint(access.read)
    assert find_containing(str(tmp_path / "mine.py"), access.read) is None
    assert find_containing(str(tmp_path / "private"), access.write) is None


def test_a_program_also_uses_the_port_and_its_installation(tmp_path):
    access = access_of(f"cmd:{sys.executable} mine.py", tmp_path)
    assert access.connect == (4000,)
    assert not access.is_local
    assert set(SYSTEM) < set(access.read)
    assert str(Path(sys.executable).parent) in access.read


def test_the_checkout_is_not_readable_but_tabnet_and_the_bots_are(tmp_path):
    read = access_of(f"cmd:{sys.executable} mine.py", tmp_path).read
    for name in ("README.md", "tests", ".git", "."):
        assert find_containing(os.path.normpath(ROOT / name), read) is None
    assert {str(ROOT / "tabnet"), str(ROOT / "bots")} <= set(read)


@needs_sandbox
@pytest.mark.parametrize("place", [ROOT / "bots" / "trial", ROOT / "tabnet", Path("models/trial")])
def test_a_tournament_inside_a_readable_folder_is_refused(place, tmp_path):
    settings = ProcessSettings(readable=(str(tmp_path / "models"),))
    with pytest.raises(StartError, match=r"so the tournament's folder .* must not be inside it"):
        require_hidden(place, [], settings)
    require_hidden(place, [], ProcessSettings(sandbox=NONE, readable=settings.readable))
    require_hidden(tmp_path / "trial", [], settings)


@needs_sandbox
def test_programs_read_more_so_fewer_folders_are_left(tmp_path):
    place = Path("/usr/share/tabnet-trial")
    require_hidden(place, [find_bot("mine", "mine.py")], ProcessSettings())
    with pytest.raises(StartError, match="bots can read /usr/share"):
        require_hidden(place, [find_bot("mine", "cmd:sh mine.py")], ProcessSettings())


@pytest.mark.parametrize("path", ["/", "/proc", "/proc/self/environ"])
def test_proc_is_never_readable(path):
    with pytest.raises(StartError, match=f"--sandbox-read {path}: bots must not read /proc"):
        require_readable([path])


def test_a_readable_path_must_exist_and_becomes_absolute(tmp_path):
    assert require_readable(["mine.py"]) == (str(tmp_path / "mine.py"),)
    with pytest.raises(StartError, match="--sandbox-read no: there is no such file or folder"):
        require_readable(["no"])


@pytest.mark.parametrize(
    "line",
    [
        "PermissionError: [Errno 13] Permission denied: '/home/zp/weights'",
        "Error: EACCES: permission denied, open '/home/zp/weights'",
        "FileNotFoundError: [Errno 2] No such file or directory: '/etc'",
        "python3: can't open file '/etc': [Errno 2] No such file or directory",
        "/no/bin/program: line 12: /etc: No such file or directory",
    ],
)
def test_an_error_about_a_denied_file_names_the_option(line):
    assert explain_denied_files(f"before\n{line}\nafter") == f"before\n{line}{ADVICE}\nafter"
    assert "--sandbox-read PATH" in ADVICE


def test_other_errors_are_not_changed():
    absent = "No such file or directory"
    text = f"/bin/sh: 1: /no/file: {absent}\n{absent}: '/no/such/file'\nValueError: no"
    assert explain_denied_files(text) == text


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--sandbox-read", "/proc"], "--sandbox-read /proc: bots must not read /proc"),
        (["--sandbox", "bwrap"], "--sandbox bwrap: the program bwrap is not installed"),
    ],
)
def test_a_refused_option_creates_nothing(options, error, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))  # without bwrap
    ended = tabnet("tournament", *options)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"tabnet: {error}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]
