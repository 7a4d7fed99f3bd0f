"""JSON objects -> commands, with exact types: nothing is converted, and errors name the field."""

from __future__ import annotations

import types
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NoReturn, TypeAlias, get_args

import attrs

from tabnet.errors import WireError, quote, shorten
from tabnet.games.field_declarations import Board, Coordinate, WireLimits
from tabnet.protocol.fields import WORDS, Clock, find_kinds_attribute, list_wire_fields

FieldReader: TypeAlias = Callable[[Any], Any]


@attrs.frozen
class _ClassReader:
    """The readers of the fields of one class."""

    readers: dict[str, FieldReader]
    required: Collection[str]
    kinds_attribute: str | None
    """The attribute that gathers the fields of the kinds of games, which stay JSON values."""
    kinds_fields: Collection[str]


def structure(cls: type[Any], fields: dict[str, Any]) -> Any:
    """Return `cls(**fields)`, with every field checked; raises `WireError` for the first error."""
    reader = _READERS.get(cls) or _make_reader(cls)
    values: dict[str, Any] = {}
    for name, read in reader.readers.items():
        if name in fields:
            values[name] = read(fields[name])
        elif name in reader.required:
            raise WireError("undefined_field", f"undefined {name}", field=name)
    if len(values) < len(fields):
        extra = shorten(min(fields.keys() - values.keys()))
        hint = f"known are {', '.join(reader.readers)}"
        raise WireError("unknown_field", f"unknown field {extra}", field=extra, hint=hint)
    if reader.kinds_attribute is not None:
        of_kinds = {name: fields[name] for name in fields if name in reader.kinds_fields}
        for name in of_kinds:
            del values[name]
        values[reader.kinds_attribute] = of_kinds
    return cls(**values)


_READERS: dict[type[Any], _ClassReader] = {}
"""The readers, made at first use, so that programs do not wait for readers they do not need."""


def _make_reader(cls: type[Any]) -> _ClassReader:
    fields = list_wire_fields(cls)
    _READERS[cls] = _ClassReader(
        {
            name: _make_field_reader(name, list_types(each.type), each.wire)
            for name, each in fields.items()
        },
        [name for name, each in fields.items() if each.default is attrs.NOTHING],
        find_kinds_attribute(cls),
        fields.keys() - {attribute.name for attribute in attrs.fields(cls)},
    )
    return _READERS[cls]


def list_types(hint: Any) -> tuple[Any, ...]:
    """Return the types of a field's value, without None, which only means that it may be absent."""
    union = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return tuple(kind for kind in union if kind is not types.NoneType)


def describe_types(kinds: tuple[Any, ...]) -> str:
    """Return types in words: `an integer or a string`."""
    return " or ".join(WORDS[kind] for kind in kinds)


def _make_field_reader(name: str, kinds: tuple[Any, ...], wire: WireLimits) -> FieldReader:
    def raise_wire_error(code: str, value: Any, problem: str) -> NoReturn:
        text = wire.bad.format(value=quote(value)) if wire.bad else f"{name} is {problem}"
        raise WireError(code, text, field=name, hint=wire.hint)

    accepted = {type: kind for kind in kinds for type in _JSON_TYPES[kind]}

    def read(value: Any) -> Any:
        kind = accepted.get(type(value))
        if kind is None or (kind in _ITEMS and not _ITEMS[kind](value)):
            raise_wire_error("wrong_type", value, f"not {describe_types(kinds)}")
        problem = _explain_out_of_limits(value, wire)
        if problem:
            raise_wire_error("bad_value", value, problem)
        return _MADE[kind](name, value) if kind in _MADE else value

    return read


_JSON_TYPES: dict[Any, tuple[type[Any], ...]] = {
    int: (int,),
    str: (str,),
    bool: (bool,),
    float: (int, float),
    Clock: (dict,),
    Coordinate: (dict,),
    tuple[str, ...]: (list,),
    Board: (list,),
}
"""The exact types that a field's value may have as JSON."""


def _are_all_strings(values: list[Any]) -> bool:
    return all(type(value) is str for value in values)


def _are_all_rows(values: list[Any]) -> bool:
    return all(type(row) is list and all(type(number) is int for number in row) for row in values)


_ITEMS: dict[Any, Callable[[list[Any]], bool]] = {
    tuple[str, ...]: _are_all_strings,
    Board: _are_all_rows,
}


def _explain_out_of_limits(value: Any, wire: WireLimits) -> str | None:
    """Return why a value of the right type is wrong, or None."""
    if type(value) in (int, float):
        if wire.minimum is not None and value < wire.minimum:
            return "negative" if wire.minimum == 0 else f"less than {wire.minimum:g}"
        if wire.maximum is not None and value > wire.maximum:
            return f"more than {wire.maximum:g}"
    elif type(value) in (str, list):
        if wire.one_of and value not in wire.one_of:
            return f"not {' or '.join(wire.one_of)}"
        if len(value) < wire.shortest:
            return "empty" if wire.shortest == 1 else f"shorter than {wire.shortest}"
        if wire.longest is not None and len(value) > wire.longest:
            return f"longer than {wire.longest}"
        if wire.printable and (not value.isprintable() or value != value.strip()):
            return "not printable on one line"
    return None


def _read_clock(name: str, value: dict[str, Any]) -> Clock:
    clock: Clock = _structure_inside(Clock, name, value)
    one = (clock.move is None) != (clock.total is None)
    if not one or (clock.total is None and clock.increment is not None):
        raise WireError(
            "bad_value",
            "a clock has either move, or total and perhaps increment",
            field=name,
            hint='{"move":120} or {"total":600,"increment":5}',
        )
    return clock


def _structure_inside(cls: type[Any], name: str, value: dict[str, Any]) -> Any:
    """Return the object in a field; the path of errors begins with the field."""
    try:
        return structure(cls, value)
    except WireError as error:
        path = f"{name}.{error.field}"
        raise WireError(error.code, f"{name}: {error.text}", field=path, hint=error.hint) from None


_MADE: dict[Any, Callable[[str, Any], Any]] = {
    Clock: _read_clock,
    Coordinate: partial(_structure_inside, Coordinate),
    tuple[str, ...]: lambda _, strings: tuple(strings),
    Board: lambda _, rows: tuple(map(tuple, rows)),
}
"""The conversions of checked values; other values are used as they are."""
