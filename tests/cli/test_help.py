"""`tabnet help`: topics, chapters in a terminal and in a pipe, unknown topics."""

from __future__ import annotations

import argparse
import math
import os
import pty
import subprocess
from contextlib import suppress

import pytest

from tabnet.cli import main, make_parser
from tabnet.cli.command_help import MAIN_OPTIONS
from tabnet.cli.help import TOPICS, find_chapter
from tabnet.games import GAMES
from tests.__main__ import ROOT
from tests.cli.processes import TABNET, tabnet
from tests.polling import TIMEOUT_S

ROWS, COLUMNS = 24, 80
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


def list_parsers(parser):
    """Yield a parser and those of all its subcommands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from list_parsers(each)


PARSERS = {parser.prog: parser for parser in list_parsers(make_parser())}


@pytest.mark.parametrize("prog", PARSERS)
def test_the_help_of_each_command_begins_with_one_screen(prog, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    parser = PARSERS[prog]
    lines = parser.format_help().splitlines()
    screen = cut_screen(lines)
    assert screen[0].startswith(f"usage: {prog} ")
    first = screen.index("examples:") + 1
    examples = screen[first : screen.index("", first)]
    assert 1 <= len(examples) <= 3
    assert all(prog in example for example in examples)
    begun = {line.split()[0].rstrip(",") for line in screen if line.startswith("  ")}
    subcommands = [action for action in parser._actions if action.nargs == argparse.PARSER]
    names = [name for each in subcommands for name in each.choices]
    assert begun >= {*names, *MAIN_OPTIONS.get(prog.partition(" ")[2], ())}
    if not names:
        assert [line for line in screen if line.startswith("  -")]


def cut_screen(lines):
    """Return the lines that fit on a screen, where long lines take several rows."""
    rows, screen = 0, []
    for line in lines:
        rows += max(1, math.ceil(len(line) / COLUMNS))
        if rows <= ROWS:
            screen.append(line)
    return screen


def test_the_main_options_are_options_of_their_commands():
    for command, names in MAIN_OPTIONS.items():
        options = PARSERS[f"tabnet {command}"]._option_string_actions
        assert set(names) <= set(options)
