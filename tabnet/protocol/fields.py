"""What the fields of commands are: their types beside JSON's plain ones, and their limits."""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import field, frozen

Board: TypeAlias = tuple[tuple[int, ...], ...]
"""Rows of numbers."""


def wire_name(name: str) -> str:
    """How an attribute is called on the wire: `from_` is `from`, which no attribute can be."""
    return name.removesuffix("_")


@frozen
class Wire:
    """What the wire asks of one field, beside its type."""

    help: str
    minimum: float | None = None
    maximum: float | None = None
    shortest: int = 0
    longest: int | None = None
    """Of a string or a list, in characters or elements."""
    printable: bool = False
    """A string of printable characters, with no spaces around."""
    bad: str = ""
    """The error text for a wrong value, `{value}` in it; by default one that names the type."""
    hint: str | None = None


def required(help: str, **wire: Any) -> Any:
    """A field every sender must give."""
    return field(metadata={"wire": Wire(help, **wire)})


def optional(help: str, **wire: Any) -> Any:
    """A field that may be left out."""
    return field(default=None, metadata={"wire": Wire(help, **wire)})


@frozen
class Clock:
    """How long players may think, in seconds: `move` for each action, or `total` for the game."""

    move: float | None = optional(
        "seconds for each roll, move or pass", minimum=0.05, maximum=86400
    )
    total: float | None = optional("seconds for the whole game", minimum=0.05, maximum=86400)
    increment: float | None = optional(
        "seconds added after each turn, with total", minimum=0, maximum=3600
    )


@frozen
class Coordinate:
    """A place on a board, from 0 at the top left."""

    row: int = required("which row")
    col: int = required("which place in the row")
