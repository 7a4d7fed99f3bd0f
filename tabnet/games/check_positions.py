"""The type of the positions in which `tabnet check` tries a bot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from tabnet.games.api import State


@frozen
class CheckPosition:
    """A position, the following throws, and the events that show that the bot plays on.

    The bot has seat 0, is to act, and makes its throws and passes itself.
    """

    name: str
    steps: tuple[tuple[str, int, str], ...]
    """In order: a type of event, how many of them the bot causes in all, and their description."""
    position: Callable[[Any], State] | None = None
    """Makes the position from the options; None for the start of a game."""
    throws: tuple[int | tuple[int, ...], ...] = ()
    """The outcomes of each seat's first throws."""
    draw_offered: bool = False
    """True if the opponent offers a draw first."""
    quiet_after: bool = False
    """True if the bot must stay quiet after the last step."""
