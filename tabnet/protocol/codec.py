"""Bytes <-> messages: strict in what the server accepts, tolerant in what a client reads.

The server refuses every dubious command: wrong types (`"3"`, `3.0` and `true` are not integers,
null is not a value), unknown fields, duplicate keys, NaN, integers beyond 64 bits.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import attrs
import cattrs
import orjson
from cattrs.gen import make_dict_unstructure_fn, override

from tabnet.errors import TabnetError, WireError, quote, shorten
from tabnet.games import GAMES
from tabnet.protocol.command_reader import structure
from tabnet.protocol.fields import find_kinds_attribute
from tabnet.protocol.frames import (
    REPLIES,
    Bye,
    Failed,
    Frame,
    Hello,
    Notice,
    PlayerTurn,
    Presence,
    Reply,
    Snapshot,
)
from tabnet.protocol.messages import COMMANDS, Command

MAX_DEPTH = 16
EXAMPLE = {"cmd": "help"}
INT64 = range(-(2**63), 2**63)

FRAMES: dict[str, type[Frame]] = {
    frame.type: frame for frame in (Hello, Reply, Snapshot, PlayerTurn, Presence, Notice, Bye)
}


def read_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object on a line; raises `WireError` with the reason."""
    if line.count(b"{") + line.count(b"[") > MAX_DEPTH and _is_too_deep(line):
        raise WireError("too_deep", f"JSON may be nested {MAX_DEPTH} levels deep at most")
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise WireError("not_json", f"this is not JSON: {error.msg}", hint=_HINT) from None
    if type(value) is not dict:
        raise WireError("not_object", "a command is a JSON object", hint=_HINT)
    # orjson keeps the last of two equal keys and rounds large integers. Each key has a colon, so
    # with as many colons as keys all keys differ. Else a slower decoder looks for these faults.
    if line.count(b":") != len(value) or _LONG_NUMBER.search(line):
        _SECOND_LOOK.decode(line.decode())
    return value


_LONG_NUMBER = re.compile(rb"\d{19}")

_HINT = f"a command looks like {orjson.dumps(EXAMPLE).decode()}"


def _is_too_deep(line: bytes) -> bool:
    depth = 0
    for token in _STRINGS_AND_BRACKETS.finditer(line):
        depth += _DEEPER.get(token[0], 0)
        if depth > MAX_DEPTH:
            return True
    return False


_STRINGS_AND_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
"""A token.

An unterminated string extends to the end of the line, so that each byte is read once.
"""
_DEEPER = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}


def _require_unique_keys(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        counted = Counter(key for key, _ in pairs)
        twice = shorten(next(key for key, count in counted.items() if count > 1))
        raise WireError("duplicate_key", f"{twice} is given twice", field=twice)


def _require_int64(digits: str) -> None:
    if len(digits) > 20 or int(digits) not in INT64:
        raise WireError(
            "bad_value", "an integer may have 64 bits at most", hint=f"not {shorten(digits)}"
        )


_SECOND_LOOK = json.JSONDecoder(object_pairs_hook=_require_unique_keys, parse_int=_require_int64)


def decode(line: bytes) -> Command | Failed:
    """Return the command on a line, or the reply that refuses it."""
    if (frequent := _FREQUENT_LINES.get(line)) is not None:
        return frequent
    fields: dict[str, Any] = {}
    try:
        fields = read_object(line)
        command = build_command(fields)
        if fields.keys() <= FREQUENT_FIELDS:
            _remember(line, command)
        return command
    except WireError as error:
        cmd = fields.get("cmd")
        known = cmd if type(cmd) is str and cmd in COMMANDS else None
        example = COMMANDS[known].example if known else EXAMPLE
        return make_refusal(error, known, _find_valid_id(fields), example)


FREQUENT_FIELDS = {"cmd", *(name for game in GAMES.values() for name in game.fields.notify)}
"""Players send the same lines of these fields again and again. None of them is a secret."""
MAX_LINES = 2048
MAX_LINE_BYTES = 128
_FREQUENT_LINES: dict[bytes, Command] = {}


def _remember(line: bytes, command: Command) -> None:
    """Keep the command on a short line, so that the next one is not read again."""
    if len(line) <= MAX_LINE_BYTES:
        if len(_FREQUENT_LINES) >= MAX_LINES:
            _FREQUENT_LINES.clear()
        _FREQUENT_LINES[line] = command


def _find_valid_id(fields: dict[str, Any]) -> int | str | None:
    try:
        command: Command = structure(Command, {k: v for k, v in fields.items() if k == "id"})
    except WireError:
        return None
    return command.id


def make_refusal(
    error: TabnetError,
    cmd: str | None = None,
    id: int | str | None = None,
    example: dict[str, Any] | None = None,
) -> Failed:
    return Failed(
        cmd=cmd,
        id=id,
        error=error.text,
        code=error.code,
        field=error.field,
        hint=error.hint,
        example=example,
        retry_after=error.retry_after,
    )


def build_command(fields: dict[str, Any]) -> Command:
    """Return the command in a JSON object; raises `WireError`."""
    if "cmd" not in fields:
        raise WireError("undefined_field", "undefined cmd", field="cmd", hint=_HINT)
    cmd = fields["cmd"]
    if type(cmd) is not str or cmd not in COMMANDS:
        names = " ".join(COMMANDS)
        raise WireError(
            "unknown_command", f"unknown command {quote(cmd)}", field="cmd", hint=f"one of: {names}"
        )
    command: Command = structure(COMMANDS[cmd], {k: v for k, v in fields.items() if k != "cmd"})
    return command


def encode(frame: Frame) -> bytes:
    """Return a frame as one line, its LF included."""
    if type(frame) is Reply and frame.id is None:
        return _encode_bare_reply(frame.cmd)
    return orjson.dumps(dump_frame(frame)) + b"\n"


@lru_cache(32)
def _encode_bare_reply(cmd: str | None) -> bytes:
    """Encode a reply that has only its command, as most replies to moves."""
    return orjson.dumps(dump_frame(Reply(cmd=cmd))) + b"\n"


def dump_frame(frame: Frame) -> dict[str, Any]:
    """Return the JSON object of a frame, without fields that are None."""
    if isinstance(frame, Snapshot):
        return {"type": frame.type, "game": frame.game, "seq": frame.seq, **frame.position}
    if isinstance(frame, PlayerTurn):
        return {  # its values are JSON already, and a bot receives a turn for every decision
            "type": frame.type,
            "game": frame.game,
            "seq": frame.seq,
            "events": frame.events,
            "expects": frame.expects,
            "moves": frame.moves,
            "clock": frame.clock,
        }
    fields: dict[str, Any] = _converter.get_unstructure_hook(type(frame))(frame)
    head: dict[str, Any] = {"type": frame.type}
    if isinstance(frame, Reply) and frame.id is not None:
        head |= {"cmd": frame.cmd, "id": frame.id}
    return head | fields


_converter = cattrs.Converter(detailed_validation=False)


def _make_writer(cls: type[Any]) -> Callable[[Any], dict[str, Any]]:
    """Return a writer that omits absent fields, whose default is None, and writes all others."""
    written: Any = {a.name: override(omit_if_default=a.default is None) for a in attrs.fields(cls)}
    return make_dict_unstructure_fn(cls, _converter, **written)


_converter.register_unstructure_hook_factory(attrs.has, _make_writer)
_converter.register_unstructure_hook_func(
    lambda hint: hint in (dict[str, Any], Mapping[str, Any]),  # is JSON already
    lambda value: value,
)
_converter.register_structure_hook(int | str | None, lambda value, _: value)


def encode_command(command: Command) -> bytes:
    """Return a command as one line, its LF included, as a client sends it."""
    fields = _converter.unstructure(command)
    of_kinds = find_kinds_attribute(type(command))
    if of_kinds is not None:
        fields |= fields.pop(of_kinds)
    return orjson.dumps({"cmd": command.cmd, **fields}) + b"\n"


def decode_frame(line: bytes) -> Frame:
    """Return the frame on a line from the server; raises `WireError`.

    Unknown fields are ignored, and a frame of an unknown type is a bare `Frame`, so that servers
    can add new ones.
    """
    try:
        fields = orjson.loads(line)
        return _read_frame(fields)
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise WireError("not_json", f"this is no frame of the protocol: {error}") from None


def _read_frame(fields: dict[str, Any]) -> Frame:
    sort = fields["type"]
    if not isinstance(sort, str):
        raise TypeError("its type is no string")
    if sort not in FRAMES:
        return Frame()
    cls = FRAMES[sort]
    if cls is Snapshot:
        common = {"type", "game", "seq"}
        position = {key: value for key, value in fields.items() if key not in common}
        return Snapshot(game=fields["game"], seq=fields["seq"], position=position)
    if cls is Reply:
        cls = Failed if "error" in fields else REPLIES.get(fields["cmd"], Reply)
    frame: Frame = _converter.structure(fields, cls)
    return frame
