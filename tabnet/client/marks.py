"""What all drawings of positions are made of: rows of styled text, and marks around cells. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from attrs import frozen

from tabnet.client.plain_text import clean_lines

Row: TypeAlias = tuple[tuple[str, str], ...]
"""One line of the screen: pieces of text, each with a style of rich's, "" for none."""

Position: TypeAlias = dict[str, Any]


@frozen
class Marks:
    """Which cells stand out, by the names that a person types: `8`, `c3`."""

    choices: frozenset[str] = frozenset()
    """They can be typed now."""
    held: str | None = None
    """The piece that is selected."""
    last: frozenset[str] = frozenset()
    """What the last move touched."""

    def around(self, cell: str) -> tuple[str, str, str]:
        """What stands left and right of a cell's piece, and its style."""
        if cell == self.held:
            return "{", "}", "bold black on bright_yellow"
        if cell in self.choices:
            return "[", "]", "bold black on bright_green"
        if cell in self.last:
            return "(", ")", "bold black on orange1"
        return " ", " ", ""


def chip(piece: tuple[str, str], around: tuple[str, str, str], width: int, shade: str) -> Row:
    """A piece in the middle of its cell, with its mark around it."""
    text, style = piece
    left, right, mark = around
    before = (width - len(text) - 2) // 2
    after = width - len(text) - 2 - before
    return (
        (" " * before, shade),
        (left, mark or style or shade),
        (text, style or shade),
        (right, mark or style or shade),
        (" " * after, shade),
    )


def plain(rows: Iterable[Row]) -> str:
    """Return the rows as clean lines without styles."""
    return clean_lines("".join(text for text, _ in row).rstrip() for row in rows)
