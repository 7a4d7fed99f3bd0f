"""The fields of commands: those of every kind of game, and those that the kinds declare."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, reduce
from operator import or_
from typing import Any, TypeVar, get_type_hints

import attrs
import orjson
from attrs import field, frozen

from tabnet.games import DEFAULT_KIND, GAMES
from tabnet.games.api import Game
from tabnet.games.field_declarations import Board, Coordinate, WireField, WireLimits, optional_field

T = TypeVar("T", int, float)


@frozen
class Clock:
    """The time limit of players, in seconds: `move` for each action, or `total` for the game."""

    move: float | None = optional_field(
        "seconds for each roll, move or pass", minimum=0.05, maximum=86400
    )
    total: float | None = optional_field("seconds for the whole game", minimum=0.05, maximum=86400)
    increment: float | None = optional_field(
        "seconds added after each turn, with total", minimum=0, maximum=3600
    )


def is_clock_field(name: str, seconds: float) -> bool:
    """Return True if a field of a clock may have this value."""
    wire = attrs.fields_dict(Clock)[name].metadata["wire"]
    return bool(wire.minimum <= seconds <= wire.maximum)


WORDS: dict[Any, str] = {
    int: "an integer",
    str: "a string",
    bool: "true or false",
    float: "a number",
    Clock: "an object",
    Coordinate: "an object with row and col",
    tuple[str, ...]: "a list of strings",
    Board: "a list of lists of integers",
}
"""Every type of a field, in words; a union lists its types in this order."""


def declare_kinds_field(command: str) -> Any:
    """Declare an attribute that holds the fields of the kinds of games, as JSON values."""
    return field(factory=dict, hash=False, metadata={"kinds": command})


def find_kinds_attribute(cls: Any) -> str | None:
    """Return the name of the attribute that `declare_kinds_field` has declared, if there is one."""
    return next((a.name for a in attrs.fields(cls) if "kinds" in a.metadata), None)


def list_wire_fields(cls: Any) -> Mapping[str, WireField]:
    """Return the fields of a class by their names on the wire, those of the kinds among them."""
    return _find_wire_fields(cls)


@cache
def _find_wire_fields(cls: Any) -> Mapping[str, WireField]:
    hints = get_type_hints(cls)
    found: dict[str, WireField] = {}
    for a in attrs.fields(cls):
        if "kinds" in a.metadata:
            found |= list_kind_fields(a.metadata["kinds"])
        else:
            limits = a.metadata.get("wire", WireLimits())
            found[a.name] = WireField(hints[a.name], limits, a.default)
    return found


def list_kind_fields(command: str) -> dict[str, WireField]:
    """Return the fields that the kinds declare for a command; equal names become one field."""
    declared: dict[str, list[tuple[Game, WireField]]] = {}
    for game in GAMES.values():
        for name, each in getattr(game.fields, command).items():
            declared.setdefault(name, []).append((game, each))
    return {name: _merge_fields(name, fields) for name, fields in declared.items()}


def _merge_fields(name: str, declared: list[tuple[Game, WireField]]) -> WireField:
    """Return one field for several kinds: their types together, with the loosest of their limits.

    Each kind checks its own values once more.
    """
    types = {each.type for _, each in declared}
    union = reduce(or_, [each for each in WORDS if each in types], None)
    wires = [each.wire for _, each in declared]
    numbers = [each.wire for _, each in declared if each.type in (int, float)]
    sized = [each.wire for _, each in declared if each.type in (str, tuple[str, ...], Board)]
    limits = WireLimits(
        "; ".join(
            f"{game.name}: {each.wire.help}{_describe_need(game, name, each)}"
            for game, each in declared
        ),
        minimum=_choose_loosest_limit([each.minimum for each in numbers], min),
        maximum=_choose_loosest_limit([each.maximum for each in numbers], max),
        shortest=min((each.shortest for each in sized), default=0),
        longest=_choose_loosest_limit([each.longest for each in sized], max),
        bad=next((each.bad for each in wires if each.bad), ""),
        hint=next((each.hint for each in wires if each.hint), None),
    )
    return WireField(union, limits)


def _describe_need(game: Game, name: str, field: WireField) -> str:
    """Return the end of a field's help: "required", or the default."""
    if name == game.leaderboard_option:
        return "; required"
    return f"; default {field.usual}" if field.usual else ""


def format_option_help(name: str) -> str:
    """Return the help of an option of `join` for a command line, where all have a default."""
    return "; ".join(
        f"{game.name}: {game.fields.join[name].wire.help} ({game.fields.join[name].usual})"
        for game in GAMES.values()
        if name in game.fields.join
    )


def _choose_loosest_limit(limits: list[T | None], choose: Callable[[list[T]], T]) -> T | None:
    """Return the loosest limit; None if there is none, or one kind has none."""
    known = [each for each in limits if each is not None]
    return choose(known) if known and len(known) == len(limits) else None


MOST_SEATS = max(game.seats[-1] for game in GAMES.values())
"""The greatest number of players of any kind."""


def format_kind_names(condition: Callable[[Game], bool]) -> str:
    """Return the names of the kinds that meet a condition, with `and` between them."""
    return " and ".join(game.name for game in GAMES.values() if condition(game))


def format_kinds() -> str:
    *others, last = GAMES
    return f"{', '.join(others)} or {last}; default {DEFAULT_KIND}"


def format_clocks() -> str:
    """Return the default clock of most kinds, then those of the others."""
    others = [
        f"{game.name} {orjson.dumps(game.clock).decode()}"
        for game in GAMES.values()
        if game.clock != Game.clock
    ]
    return ", ".join([orjson.dumps(Game.clock).decode(), *others])
