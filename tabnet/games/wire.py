"""The types and limits of fields on the wire, and the fields that a kind of game declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

Board: TypeAlias = tuple[tuple[int, ...], ...]
"""Rows of numbers."""


@frozen
class Wire:
    """The limits and the meaning of one field, beside its type."""

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
class Coordinate:
    """A place on a board, from 0 at the top left."""

    row: int = required("which row")
    col: int = required("which place in the row")


@frozen
class KindField:
    """A field that belongs to a kind of game: always optional for the protocol."""

    type: Any
    """int, str, bool, `Coordinate`, `Board` or `tuple[str, ...]`."""
    wire: Wire
    usual: str = ""
    """The default of an option of `join`, in words."""


def kind_field(type: Any, help: str, *, usual: str = "", **wire: Any) -> KindField:
    """Declare a field; `help` does not name the kind."""
    return KindField(type, Wire(help, **wire), usual)


Fields: TypeAlias = Mapping[str, KindField]


@frozen(kw_only=True)
class KindFields:
    """The fields of a kind of game in the commands of the protocol."""

    join: Fields = {}  # noqa: RUF008 - a frozen class, and nobody changes it
    """Its options."""
    ranking: Fields = {}  # noqa: RUF008 - likewise
    notify: Fields
    """The fields of a move."""
    moves: Fields = {}  # noqa: RUF008 - likewise
    """The fields that select some of the legal moves."""
