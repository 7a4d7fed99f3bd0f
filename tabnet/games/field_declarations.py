"""The types and limits of fields on the wire, and the fields that a kind of game declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

Board: TypeAlias = tuple[tuple[int, ...], ...]
"""Rows of numbers."""


@frozen
class WireLimits:
    """The help and the limits of one field, beside its type."""

    help: str = ""
    minimum: float | None = None
    maximum: float | None = None
    shortest: int = 0
    longest: int | None = None
    """The greatest length of a string or a list."""
    one_of: tuple[str, ...] = ()
    """The strings that are allowed, if not any."""
    printable: bool = False
    """True for a string of printable characters without spaces around it."""
    bad: str = ""
    """The error text for a wrong value, with `{value}`; by default a text that names the type."""
    hint: str | None = None


def required_field(help: str, **wire: Any) -> Any:
    return field(metadata={"wire": WireLimits(help, **wire)})


def optional_field(help: str, **wire: Any) -> Any:
    return field(default=None, metadata={"wire": WireLimits(help, **wire)})


@frozen
class Coordinate:
    """A place on a board, from 0 at the top left."""

    row: int = required_field("which row")
    col: int = required_field("which place in the row")


@frozen
class WireField:
    """A field on the wire."""

    type: Any
    wire: WireLimits
    default: Any = None
    """None if the field is optional, `attrs.NOTHING` if it is required."""
    usual: str = ""
    """The default of an option of `join`, in words."""


def kind_field(type: Any, help: str, *, usual: str = "", **wire: Any) -> WireField:
    """Declare a field of a kind of game; `help` does not name the kind.

    `type` is int, str, bool, `Coordinate`, `Board` or `tuple[str, ...]`.
    """
    return WireField(type, WireLimits(help, **wire), usual=usual)


Fields: TypeAlias = Mapping[str, WireField]


@frozen(kw_only=True)
class KindFields:
    """The fields of a kind of game in the commands of the protocol."""

    join: Fields = {}  # noqa: RUF008 - a frozen class, and nobody changes it
    ranking: Fields = {}  # noqa: RUF008 - likewise
    notify: Fields
    moves: Fields = {}  # noqa: RUF008 - likewise
    """The fields that select some of the legal moves."""
