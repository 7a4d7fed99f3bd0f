"""JSON objects -> commands, with exact types: nothing is converted, everything wrong is named."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn, TypeAlias, get_args, get_type_hints

import attrs
import cattrs
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override

from tabnet.errors import WireError, cut, shown
from tabnet.protocol.fields import Board, Clock, Coordinate, Wire, wire_name

_converter = cattrs.Converter(detailed_validation=False)


def structure(cls: type[Any], fields: dict[str, Any]) -> Any:
    """`cls(**fields)` with every field checked; raises `WireError` for the first that is wrong."""
    try:
        return (_READERS.get(cls) or _make_reader(cls))(fields, cls)
    except KeyError as error:
        name = str(error.args[0])
        raise WireError("undefined_field", f"undefined {name}", field=name) from None
    except ForbiddenExtraKeysError as error:
        extra = cut(min(error.extra_fields))
        names = ", ".join(wire_name(attribute.name) for attribute in attrs.fields(cls))
        raise WireError(
            "unknown_field", f"unknown field {extra}", field=extra, hint=f"known are {names}"
        ) from None


Reader: TypeAlias = Callable[[dict[str, Any], type[Any]], Any]

_READERS: dict[type[Any], Reader] = {}
"""Made at first use: a program that sends three commands does not wait for all of them."""


def _make_reader(cls: type[Any]) -> Reader:
    hints = get_type_hints(cls)
    overrides: dict[str, Any] = {
        attribute.name: override(
            rename=wire_name(attribute.name),
            struct_hook=_field_reader(
                wire_name(attribute.name),
                kinds_of(hints[attribute.name]),
                attribute.metadata["wire"],
            ),
        )
        for attribute in attrs.fields(cls)
    }
    _READERS[cls] = make_dict_structure_fn(
        cls,
        _converter,
        _cattrs_forbid_extra_keys=True,
        _cattrs_detailed_validation=False,
        **overrides,
    )
    return _READERS[cls]


def kinds_of(hint: Any) -> tuple[Any, ...]:
    """The types a field may have, None left out: it only stands for absence."""
    union = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return tuple(kind for kind in union if kind is not types.NoneType)


_WORDS = {
    int: "an integer",
    str: "a string",
    bool: "true or false",
    float: "a number",
    Clock: "an object",
    Coordinate: "an object with row and col",
    tuple[str, ...]: "a list of strings",
    Board: "a list of lists of integers",
}


def describe(kinds: tuple[Any, ...]) -> str:
    """Types in words: `an integer or a string`."""
    return " or ".join(_WORDS[kind] for kind in kinds)


def _field_reader(name: str, kinds: tuple[Any, ...], wire: Wire) -> Callable[[Any, Any], Any]:
    def wrong(code: str, value: Any, problem: str) -> NoReturn:
        text = wire.bad.format(value=shown(value)) if wire.bad else f"{name} is {problem}"
        raise WireError(code, text, field=name, hint=wire.hint)

    accepted = {type: kind for kind in kinds for type in _JSON_TYPES[kind]}

    def read(value: Any, _: Any) -> Any:
        kind = accepted.get(type(value))
        if kind is None or (kind in _ITEMS and not _ITEMS[kind](value)):
            wrong("wrong_type", value, f"not {describe(kinds)}")
        problem = _out_of_limits(value, wire)
        if problem:
            wrong("bad_value", value, problem)
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


def _all_strings(values: list[Any]) -> bool:
    return all(type(value) is str for value in values)


def _all_rows(values: list[Any]) -> bool:
    return all(type(row) is list and all(type(number) is int for number in row) for row in values)


_ITEMS: dict[Any, Callable[[list[Any]], bool]] = {
    tuple[str, ...]: _all_strings,
    Board: _all_rows,
}
"""What the elements of a list must be."""


def _out_of_limits(value: Any, wire: Wire) -> str | None:
    """What is wrong with a value of the right type, or None."""
    if type(value) in (int, float):
        if wire.minimum is not None and value < wire.minimum:
            return "negative" if wire.minimum == 0 else f"less than {wire.minimum:g}"
        if wire.maximum is not None and value > wire.maximum:
            return f"more than {wire.maximum:g}"
    elif type(value) in (str, list):
        if len(value) < wire.shortest:
            return "empty"
        if wire.longest is not None and len(value) > wire.longest:
            return f"longer than {wire.longest}"
        if wire.printable and (not value.isprintable() or value != value.strip()):
            return "not printable on one line"
    return None


def _clock(name: str, value: dict[str, Any]) -> Clock:
    clock: Clock = _inside(Clock, name, value)
    one = (clock.move is None) != (clock.total is None)
    if not one or (clock.total is None and clock.increment is not None):
        raise WireError(
            "bad_value",
            "a clock has either move, or total and perhaps increment",
            field=name,
            hint='{"move":120} or {"total":600,"increment":5}',
        )
    return clock


def _inside(cls: type[Any], name: str, value: dict[str, Any]) -> Any:
    """The object of a field; errors name it as well."""
    try:
        return structure(cls, value)
    except WireError as error:
        path = f"{name}.{error.field}"
        raise WireError(error.code, f"{name}: {error.text}", field=path, hint=error.hint) from None


_MADE: dict[Any, Callable[[str, Any], Any]] = {
    Clock: _clock,
    Coordinate: partial(_inside, Coordinate),
    tuple[str, ...]: lambda _, strings: tuple(strings),
    Board: lambda _, rows: tuple(map(tuple, rows)),
}
"""What becomes of a value, under the name of its field, that is not taken as it is."""
