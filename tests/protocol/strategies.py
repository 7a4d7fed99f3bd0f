"""Values for the protocol's tests, made from the types and limits its classes declare."""

from __future__ import annotations

import sys
import types
from typing import Any, get_args, get_origin, get_type_hints

import attrs
from hypothesis import strategies as st

from tabnet.games.field_declarations import Board, Coordinate, WireField, WireLimits
from tabnet.protocol.codec import FRAMES
from tabnet.protocol.fields import Clock, find_kinds_attribute, list_wire_fields
from tabnet.protocol.frames import REPLIES, Failed, Frame, Reply, Snapshot
from tabnet.protocol.messages import COMMANDS, Command

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

int64s = st.integers(INT64_MIN, INT64_MAX)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=32)
plain_values = st.none() | st.booleans() | int64s | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    plain_values | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)

every_command = sorted(COMMANDS)
FIELD_NAMES = sorted({name for command in COMMANDS.values() for name in list_wire_fields(command)})
FRAME_CLASSES: list[type[Frame]] = sorted(
    {*FRAMES.values(), *REPLIES.values(), Failed}, key=lambda cls: cls.__name__
)


# -- commands


def commands(cls: type[Command]) -> st.SearchStrategy[Command]:
    """Valid instances of one command class."""
    fields = dict(list_wire_fields(cls))
    own = {a.name: _field(fields.pop(a.name)) for a in attrs.fields(cls) if a.name in fields}
    of_kinds = find_kinds_attribute(cls)
    if of_kinds is not None:
        values = {name: _field(each, absent=False).map(_as_json) for name, each in fields.items()}
        own[of_kinds] = st.fixed_dictionaries({}, optional=values)
    return st.builds(cls, **own)


any_command = st.sampled_from(every_command).flatmap(lambda cmd: commands(COMMANDS[cmd]))


def _field(field: WireField, *, absent: bool = True) -> st.SearchStrategy[Any]:
    kinds = get_args(field.type) if isinstance(field.type, types.UnionType) else (field.type,)
    present = [kind for kind in kinds if absent or kind is not types.NoneType]
    return st.one_of([_within(kind, field.wire) for kind in present])


def _as_json(value: Any) -> Any:
    if isinstance(value, Coordinate):
        return {"row": value.row, "col": value.col}
    return [_as_json(each) for each in value] if isinstance(value, tuple) else value


def _within(kind: Any, wire: WireLimits) -> st.SearchStrategy[Any]:
    """Values of a type, inside the limits of its field."""
    if kind is types.NoneType:
        return st.none()
    if kind is bool:
        return st.booleans()
    if kind is int:
        smallest = INT64_MIN if wire.minimum is None else int(wire.minimum)
        return st.integers(smallest, INT64_MAX if wire.maximum is None else int(wire.maximum))
    if kind is float:
        return st.floats(wire.minimum, wire.maximum)
    if kind is Coordinate:
        return st.builds(Coordinate, int64s, int64s)
    longest = 40 if wire.longest is None else wire.longest
    if kind == Board:
        return st.lists(st.lists(int64s, max_size=4).map(tuple), max_size=longest).map(tuple)
    if get_origin(kind) is tuple:
        return st.lists(texts, min_size=wire.shortest, max_size=longest).map(tuple)
    if kind is str:
        return _strings_within(wire, longest)
    assert kind is Clock
    return clocks


def _strings_within(wire: WireLimits, longest: int) -> st.SearchStrategy[str]:
    if wire.one_of:
        return st.sampled_from(wire.one_of)
    if wire.printable:
        return names.filter(lambda name: wire.shortest <= len(name) <= longest)
    return st.text(
        st.characters(exclude_categories=["Cs"]), min_size=wire.shortest, max_size=longest
    )


def _clock_field(name: str) -> st.SearchStrategy[Any]:
    wire = attrs.fields_dict(Clock)[name].metadata["wire"]
    return st.floats(wire.minimum, wire.maximum) | st.integers(1, int(wire.maximum))


clocks = st.builds(Clock, move=_clock_field("move")) | st.builds(
    Clock, total=_clock_field("total"), increment=st.none() | _clock_field("increment")
)


# -- frames


def frames(cls: type[Frame]) -> st.SearchStrategy[Frame]:
    """Instances of one frame class, as the server could send them."""
    given: dict[str, st.SearchStrategy[Any]] = {}
    if cls is Reply:
        given["cmd"] = st.sampled_from([cmd for cmd in every_command if cmd not in REPLIES])
    elif cls is Failed:
        given["cmd"] = st.sampled_from([None, *every_command])
    elif issubclass(cls, Reply):
        given["cmd"] = st.sampled_from([cmd for cmd, reply in REPLIES.items() if reply is cls])
    elif cls is Snapshot:
        taken = {"type", "game", "seq"}
        keys = texts.filter(lambda key: key not in taken)
        given["position"] = st.dictionaries(keys, json_values, max_size=5)
    return _built(cls, given)


any_frame = st.sampled_from(FRAME_CLASSES).flatmap(frames)


def _built(cls: type[Any], given: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(cls, vars(sys.modules[cls.__module__]))
    return st.builds(cls, **{a.name: _typed(hints[a.name]) for a in attrs.fields(cls)} | given)


def _typed(hint: Any) -> st.SearchStrategy[Any]:
    if isinstance(hint, types.UnionType):
        return st.one_of([_typed(kind) for kind in get_args(hint)])
    if get_origin(hint) is tuple:
        return st.lists(_typed(get_args(hint)[0]), max_size=3).map(tuple)
    if get_origin(hint) is dict:
        return st.dictionaries(texts, _typed(get_args(hint)[1]), max_size=3)
    if attrs.has(hint):
        return _built(hint, {})
    return _PLAIN[hint]


_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    types.NoneType: st.none(),
    bool: st.booleans(),
    int: int64s,
    str: texts,
    float: st.floats(allow_nan=False, allow_infinity=False),
    Any: json_values,
}
