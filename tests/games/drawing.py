"""Drawings of positions, as plain text."""

from __future__ import annotations

from tabnet.client.safe_text import format_plain_rows
from tabnet.games import GAMES
from tabnet.games.terminal import Marks
from tests.client.positions import snapshot

NOTHING = Marks()


def draw(kind, state, seat, marks, columns):
    """Return the rows of a position."""
    return GAMES[kind].terminal.draw(snapshot(kind, state).position, seat, marks, columns)


def drawn(kind, state, seat=0, marks=NOTHING, columns=80):
    """Return a position as clean lines."""
    return format_plain_rows(draw(kind, state, seat, marks, columns))


def list_cells(line):
    """Return the numbers of a row of cells."""
    return line[:-1].split()
