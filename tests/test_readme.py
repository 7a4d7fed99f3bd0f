"""README says what is true: its commands are the real ones, its programs run, its links lead."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tabnet.cli import main, parser
from tabnet.tournament.records.results import CAUSES
from tests.cli.processes import serving
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture
def first_bot(tmp_path):
    """README's bot, in a file."""
    (program,) = [block for block in blocks("python") if "run_bot" in block]
    (tmp_path / "mine.py").write_text(program)
    return tmp_path / "mine.py"


def test_the_first_bot_plays_against_itself(tmp_path, first_bot):
    with serving(tmp_path) as server:
        command = [sys.executable, first_bot, "--server", f"tcp://{server.tcp}"]
        bots = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        said = [bot.communicate(timeout=PATIENCE_S)[0].split()[0] for bot in bots]
    assert sorted(said) == ["lost", "won"]


def test_there_is_nothing_wrong_with_the_first_bot(first_bot, capsys):
    assert main(["check", str(first_bot)]) == 0


def test_the_example_of_the_library_runs(capsys):
    (program,) = [block for block in blocks("python") if "GAMES" in block]
    exec(compile(program, "README.md", "exec"), {})
    shown = capsys.readouterr().out.splitlines()
    assert shown[1] == re.search(r"print\(state\.actions\(\)\)  # (.*)", program)[1]


def test_the_commands_are_the_real_ones():
    play, test = [line for line in "".join(blocks("sh")).splitlines() if line.startswith("python3")]
    assert play.endswith(".venv/bin/tabnet tournament")
    assert test.endswith(".venv/bin/python -m tests")
    assert (ROOT / ".ci" / "constraints.txt").exists()
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    defaults = vars(parser().parse_args(["serve"]))
    assert f"-connect 127.0.0.1:{defaults['tls_port']}" in TEXT
    assert f"telnet 127.0.0.1 {defaults['tcp_port']}" in TEXT


def test_the_tournaments_can_be_played():
    lines = [line for line in "".join(blocks("sh")).splitlines() if "tabnet tournament " in line]
    assert len(lines) == 5
    for line in lines:
        parser().parse_args(shlex.split(line.partition("tabnet ")[2]))
    for cause in CAUSES:
        assert re.search(rf"\b{cause}\b", TEXT), f"README does not name {cause}"


def test_the_limits_are_the_real_ones():
    defaults = vars(parser().parse_args(["serve"]))
    options = dict(re.findall(r"\| `--(max-[a-z-]+)` \| (\d+) \|", TEXT))
    told = {name.replace("-", "_"): int(number) for name, number in options.items()}
    assert told == {name: value for name, value in defaults.items() if name.startswith("max_")}


def test_every_dependency_has_its_reason():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name in re.findall(r'^  "([a-z0-9-]+)[>=]', project, re.MULTILINE):
        assert re.search(rf"\b{name}\b", TEXT), f"README does not say why {name} is needed"


def test_every_link_leads_somewhere():
    targets = {
        heading.lower().replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    }
    for link in re.findall(r"\]\(([^)]*)\)", TEXT):
        if link.startswith("#"):
            assert link[1:] in targets
        elif not link.startswith("https://"):
            assert (ROOT / link.partition("#")[0]).exists()
