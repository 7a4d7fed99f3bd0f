"""The response to `schema`: every command and frame as JSON Schema, made from their classes."""

from __future__ import annotations

import types
from functools import cache
from typing import Any, get_args, get_origin

import attrs

from tabnet.games.field_declarations import WireLimits
from tabnet.protocol.codec import FRAMES
from tabnet.protocol.command_reader import list_types
from tabnet.protocol.fields import list_wire_fields
from tabnet.protocol.frames import REPLIES, Failed, Frame, Schemas, Snapshot
from tabnet.protocol.messages import COMMANDS

PLAIN = {int: "integer", str: "string", bool: "boolean", float: "number", types.NoneType: "null"}


@cache
def make_schemas() -> Schemas:
    replies = {f"reply {cmd}": _make_frame_schema(cls, cmd) for cmd, cls in REPLIES.items()}
    frames = {type: _make_frame_schema(cls) for type, cls in FRAMES.items()}
    return Schemas(
        cmd="schema",
        commands={
            cmd: _make_object_schema(command, {"cmd": {"const": cmd}}, closed=True)
            for cmd, command in COMMANDS.items()
        },
        frames=frames | replies | {"reply (refused)": _make_frame_schema(Failed)},
    )


def _make_frame_schema(cls: type[Frame], cmd: str | None = None) -> dict[str, Any]:
    fixed: dict[str, Any] = {"type": {"const": cls.type}}
    if cmd is not None:
        fixed["cmd"] = {"const": cmd}
    return _make_object_schema(cls, fixed)


def _make_object_schema(
    cls: type[Any], fixed: dict[str, Any], *, closed: bool = False
) -> dict[str, Any]:
    fields = dict(list_wire_fields(cls))
    if cls is Snapshot:
        del fields["position"]
    properties = {
        name: _make_type_schema(each.type, absent=each.default is None)
        | _make_limits_schema(each.type, each.wire)
        for name, each in fields.items()
    }
    needed = [name for name, each in fields.items() if each.default is attrs.NOTHING]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties | fixed,
        "required": [*fixed, *(name for name in needed if name not in fixed)],
    }
    if closed:
        schema["additionalProperties"] = False
    return schema


def _make_type_schema(hint: Any, *, absent: bool = False) -> dict[str, Any]:
    """Return the schema of a type; `absent` says that None in it only marks an optional field."""
    union = [t for t in get_args(hint) if not (absent and t is types.NoneType)]
    if isinstance(hint, types.UnionType):
        choices = [_make_type_schema(t) for t in union]
        return choices[0] if len(choices) == 1 else {"anyOf": choices}
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _make_type_schema(get_args(hint)[0])}
    if get_origin(hint) is dict:
        return {"type": "object", "additionalProperties": _make_type_schema(get_args(hint)[1])}
    if attrs.has(hint):
        return _make_object_schema(
            hint, {}, closed=all(each.wire.help for each in list_wire_fields(hint).values())
        )
    return {"type": PLAIN[hint]} if hint in PLAIN else {}


def _make_limits_schema(hint: Any, wire: WireLimits) -> dict[str, Any]:
    """Return a field's meaning and limits; JSON Schema has no word for `printable`."""
    if not wire.help:
        return {}
    counted = "Items" if any(get_origin(kind) is tuple for kind in list_types(hint)) else "Length"
    limits = {
        "minimum": wire.minimum,
        "maximum": wire.maximum,
        f"min{counted}": wire.shortest or None,
        f"max{counted}": wire.longest,
        "enum": list(wire.one_of) or None,
    }
    known = {name: limit for name, limit in limits.items() if limit is not None}
    return {"description": wire.help, **known}
