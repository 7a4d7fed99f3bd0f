"""`tabnet help`: topics, chapters in a terminal and in a pipe, unknown topics."""

from __future__ import annotations

import os
import pty
import subprocess
from contextlib import suppress

import pytest

from tabnet.cli import main
from tabnet.cli.command_help import MAIN_OPTIONS
from tabnet.cli.help import TOPICS, find_chapter
from tabnet.games import GAMES
from tests.__main__ import ROOT
from tests.cli.processes import TABNET, tabnet
from tests.polling import TIMEOUT_S

EVERY_TOPIC = (*TOPICS, *GAMES)


def test_help_lists_every_topic_with_the_title_of_its_chapter():
    shown = tabnet("help")
    assert shown.returncode == 0
    for topic in EVERY_TOPIC:
        title = find_chapter(topic).read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert f"  {topic:<12} {title}\n" in shown.stdout


def test_every_chapter_is_a_topic():
    chapters = {path.stem for path in (ROOT / "tabnet" / "docs").glob("*.md")}
    assert chapters | {"protocol", "changelog"} == set(TOPICS)


@pytest.mark.parametrize("topic", EVERY_TOPIC)
def test_a_piped_chapter_is_the_text_of_its_file(topic, capsys):
    assert main(["help", topic]) == 0
    shown = capsys.readouterr().out
    assert shown == find_chapter(topic).read_text(encoding="utf-8")
    assert "\x1b" not in shown


def test_an_unknown_topic_is_an_error_that_lists_the_topics(capsys):
    assert main(["help", "serve"]) == 1
    shown = capsys.readouterr().err
    assert "there is no topic 'serve'" in shown
    assert all(topic in shown for topic in EVERY_TOPIC)
    assert "tabnet COMMAND --help" in shown


def read_all(terminal):
    """Return everything that is written to a terminal until its program ends."""
    written = b""
    with suppress(OSError):  # Linux reports the end as an error
        while data := os.read(terminal, 4096):
            written += data
    os.close(terminal)
    return written.decode()


def test_a_chapter_is_formatted_in_a_terminal_and_without_relative_links():
    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    process = subprocess.Popen([TABNET, "help", "dice"], stdout=end, env=environment)
    os.close(end)
    shown = read_all(terminal)
    assert process.wait(timeout=TIMEOUT_S) == 0
    assert "\x1b[" in shown
    assert "Verify dice and matches" in shown
    assert "](" not in shown


@pytest.mark.parametrize("command", MAIN_OPTIONS)
def test_the_help_of_a_command_begins_with_one_screen(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = capsys.readouterr().out
    screen = "\n".join(shown.splitlines()[:24])
    assert screen.startswith(f"usage: tabnet {command} ")
    assert "examples:\n  tabnet " in screen
    assert all(f"  {option}" in screen for option in MAIN_OPTIONS[command])
