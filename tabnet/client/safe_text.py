"""Text from servers, players, bots and files, made safe for a terminal. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabnet.games.terminal import Row


def clean_line(text: str) -> str:
    """Return the text as one line that cannot steer a terminal.

    Line breaks and tabs become spaces. Other control characters, escapes, and characters that
    change the direction of text become question marks.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else " " if each.isspace() else "?" for each in text)


def clean_lines(lines: Iterable[str]) -> str:
    """Return the lines, each of them clean, with line breaks between them."""
    return "\n".join(map(clean_line, lines))


def format_plain_rows(rows: Iterable[Row]) -> str:
    return clean_lines("".join(text for text, _ in row).rstrip() for row in rows)
