"""The part of a kind that the terminal uses: drawings, sentences, and typed input.

A drawing is plain data: rows of styled text. Letters and brackets alone carry the meaning, so that
the same rows work without colour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from tabnet.games.api import JSON

Row: TypeAlias = tuple[tuple[str, str], ...]
"""One line of the screen: pieces of text, each with a style of rich, or "" for none."""

Position: TypeAlias = dict[str, Any]
"""The fields of an update."""

SHADES = ("grey66 on grey15", "grey66 on grey19")
"""The styles of neighbouring cells."""
MAX_LISTED = 12
"""The number of alternatives that one line lists."""
CELL = r"[a-o]\d{1,2}|\d+"
"""The usual form of a cell: a number, or a letter and a number."""


@frozen
class Marks:
    """The highlighted cells, by the names that a person types: `8`, `c3`."""

    choices: frozenset[str] = frozenset()
    """The cells that can be typed now."""
    held: str | None = None
    last: frozenset[str] = frozenset()

    def choose_marks_around(self, cell: str) -> tuple[str, str, str]:
        """Return the text left and right of a cell's piece, and its style."""
        if cell == self.held:
            return "{", "}", "bold black on bright_yellow"
        if cell in self.choices:
            return "[", "]", "bold black on bright_green"
        if cell in self.last:
            return "(", ")", "bold black on orange1"
        return " ", " ", ""


def draw_chip(piece: tuple[str, str], around: tuple[str, str, str], width: int, shade: str) -> Row:
    """Return a piece in the middle of its cell, with its mark around it."""
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


@frozen
class Turn:
    """The legal actions of the player to act: `roll`, `pass`, or `notify` with a route."""

    kind: str
    action: str
    routes: tuple[tuple[str, ...], ...] = ()
    """The cells of every legal move, the start first; only those of a selected piece."""
    held: str | None = None
    """The selected piece, in kinds whose moves can be typed in two steps."""
    selects: bool = False
    """True if a move can be typed in two steps."""
    placing: str = ""

    @property
    def next_cells(self) -> list[str]:
        if self.held is not None:
            return [*(route[1] for route in self.routes), self.held]
        return list(dict.fromkeys(route[0] for route in self.routes))

    @property
    def typed_lines(self) -> list[str]:
        return self.next_cells if self.selects else [" ".join(route) for route in self.routes]

    @property
    def demand(self) -> str:
        if self.action != "notify":
            return {"roll": "roll", "pass": "there is no move: pass"}[self.action]
        if self.held is not None:
            targets = " or ".join(route[1] for route in self.routes)
            return f"{self.held} goes to {targets}; {self.held} again lets it go"
        if self.is_placing and self.placing:
            return self.placing
        return (
            f"choose a {'piece' if self.selects else 'move'}: {list_alternatives(self.typed_lines)}"
        )

    @property
    def is_placing(self) -> bool:
        """Return whether a single cell is a whole move."""
        return all(len(route) == 1 for route in self.routes)

    @property
    def has_one_answer(self) -> bool:
        """Return whether an empty line is enough."""
        return self.action != "notify" or len(self.routes) == 1


def list_alternatives(lines: Sequence[str]) -> str:
    shown = ", ".join(lines[:MAX_LISTED])
    return f"{shown}, ..." if len(lines) > MAX_LISTED else shown


def complete_route(cells: Sequence[str], turn: Turn) -> Sequence[str]:
    """Return the only legal move that begins with `cells`, or `cells` if none does.

    Raises `ValueError` if several begin so, or if a single cell has no legal move.
    """
    fitting = [route for route in turn.routes if route[: len(cells)] == tuple(cells)]
    if len(fitting) > 1:
        raise ValueError(f"say which: {list_alternatives([' '.join(route) for route in fitting])}")
    if not fitting and len(cells) == 1:
        raise ValueError(f"{cells[0]} has no legal move; {turn.demand}")
    return fitting[0] if fitting else cells


@frozen(kw_only=True)
class TerminalGame:
    """The part of one kind that the terminal uses."""

    draw: Callable[[Position, int, Marks, int], list[Row]]
    """Draws a position as a seat sees it, with marks, in at most so many columns."""
    styles: Mapping[str, str]
    list_cells: Callable[[Mapping[str, JSON]], tuple[str, ...]]
    """Returns the cells that the fields of a move name, as a person types them."""
    read_move: Callable[[list[str], Turn], dict[str, JSON]]
    """Returns the fields of a `notify` from cells; raises `ValueError` with a sentence."""
    cell_pattern: str = CELL
    """The form of a cell, as a regular expression."""
    placing: str = ""
    """The request to move, in kinds whose moves are single cells, too many to list."""
    describe_move: Callable[[Mapping[str, JSON], Position, Position | None], str]
    """Describes a move, given the event, the position after it, and the position before it."""
    describe_roll: Callable[[JSON], str] = str
    """Returns the text of the field `dice`."""
    endings: Mapping[str, str]
    """The text for each reason of an `Outcome`."""
