"""A line typed key by key."""

from __future__ import annotations

import pytest

from tabnet.client.terminal.line_editor import ENTER, Keys, Line

LEFT, RIGHT, HOME, END, DELETE = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F", "\x1b[3~"
UP, DOWN = "\x1b[A", "\x1b[B"


def typed(*keys):
    line = Line()
    for key in keys:
        line.edit(key)
    return line


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        ("abc", "abc", 3),
        ([*"abc", LEFT, LEFT, "x"], "axbc", 2),
        ([*"abc", LEFT, "\x7f"], "ac", 1),
        (["\x7f", "a", HOME, "\b"], "a", 0),
        ([*"abc", HOME, DELETE], "bc", 0),
        ([*"abc", HOME, LEFT, RIGHT, RIGHT], "abc", 2),
        ([*"abc", HOME, END, RIGHT], "abc", 3),
        ([*"abcd", LEFT, "\x15"], "d", 0),
        ([*"abcd", LEFT, "\x0b"], "abc", 3),
        ([*"c3 e5", "\x17"], "c3 ", 3),
        ([*"c3 e5 ", "\x17"], "c3 ", 3),
        (["\x17"], "", 0),
        (["a", "\x1b[15~", "\x00", "b"], "ab", 2),
        ("a" * 60, "a" * 40, 40),
        ([UP], "", 0),
    ],
)
def test_editing_keys_change_the_line(keys, text, at):
    line = typed(*keys)
    assert (line.text, line.at) == (text, at)


def test_arrow_keys_recall_earlier_lines():
    line = typed(*"c3")
    assert line.take_line() == "c3"
    assert (line.text, line.at) == ("", 0)
    typed_again = [line.take_line() for _ in range(2) if not line.edit("x")]
    assert typed_again == ["x", "x"]
    line.replace_text("e5")
    line.take_line()
    line.edit(UP)
    assert line.text == "e5"
    line.edit(UP)
    assert line.text == "x"
    line.edit(DOWN)
    assert line.text == "e5"
    assert Line().take_line() == ""


def test_terminal_input_is_split_into_keys():
    keys = Keys()
    assert keys.split_keys("aé\n") == ["a", "é", "\n"]
    assert keys.split_keys("\x1b[A\x1bOHx\x1bq") == ["\x1b[A", "\x1bOH", "x", "\x1bq"]
    assert keys.split_keys("\x1b") == []
    assert keys.split_keys("[") == []
    assert keys.split_keys("3~y") == ["\x1b[3~", "y"]


def test_enter_may_come_as_cr_or_as_lf():
    keys = Keys()
    assert keys.split_keys("a\rb\n") == ["a", ENTER, "b", ENTER]
