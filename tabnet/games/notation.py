"""Notations of whole games as text, which other programs read and write too. Pure."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from tabnet.games.api import Move, State


@frozen
class RecordedGame:
    """A game as a notation records it."""

    start: State
    moves: tuple[Move, ...]
    """The moves up to the end by the rules."""
    nicks: tuple[str, ...]
    """The players, in seat order."""
    winners: tuple[int, ...] | None
    """The seats that have won: none for a draw; None for a game that is not over."""
    event: str = ""
    """The tournament or server where it was played."""
    left_out: int = 0
    """The number of moves that were played after the end by the rules."""


@frozen
class Notation:
    name: str
    """The suffix of its files, without a dot."""
    title: str
    write: Callable[[RecordedGame], str]
    read: Callable[[str], RecordedGame]
    """Raises a `RulesError` for a text that records no game."""
