"""The response to `schema`, against an independent validator."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import attrs
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tabnet.protocol.codec import FRAMES, decode, decode_frame, dump_frame, encode, encode_command
from tabnet.protocol.frames import REPLIES, Failed, Frame, Reply
from tabnet.protocol.line_splitter import MAX_LINE
from tabnet.protocol.messages import COMMANDS, Clock, Command
from tabnet.protocol.schema_reply import make_schemas
from tests.protocol.strategies import (
    FIELD_NAMES,
    any_command,
    any_frame,
    every_command,
    json_values,
)

SCHEMAS = make_schemas()
WRONG_SHAPE = {"wrong_type", "unknown_field", "undefined_field"}


@cache
def of_command(cmd: str) -> Draft202012Validator:
    return Draft202012Validator(SCHEMAS.commands[cmd])


@cache
def of_frame(name: str) -> Draft202012Validator:
    return Draft202012Validator(SCHEMAS.frames[name])


def name_of(frame: Frame) -> str:
    """The name under which `schema` describes a frame."""
    if isinstance(frame, Failed):
        return "reply (refused)"
    if isinstance(frame, Reply) and frame.cmd in REPLIES:
        return f"reply {frame.cmd}"
    return frame.type


def test_every_command_and_every_frame_is_described() -> None:
    assert list(SCHEMAS.commands) == list(COMMANDS)
    replies = {f"reply {cmd}" for cmd in REPLIES}
    assert set(SCHEMAS.frames) == {*FRAMES, *replies, "reply (refused)"}


@pytest.mark.parametrize("schema", [*SCHEMAS.commands.values(), *SCHEMAS.frames.values()])
def test_every_schema_is_valid(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert set(schema["required"]) <= set(schema["properties"])


def test_the_reply_to_schema_fits_into_one_frame() -> None:
    line = encode(make_schemas())
    assert decode_frame(line) == SCHEMAS
    assert len(line) < MAX_LINE
    assert of_frame("reply schema").is_valid(json.loads(line))


# -- whole schemas


def test_update_has_the_documented_schema() -> None:
    assert SCHEMAS.commands["update"] == {
        "type": "object",
        "properties": {
            "id": {
                "anyOf": [{"type": "integer"}, {"type": "string"}],
                "description": "comes back in the reply: a string or a 64-bit integer",
                "maxLength": 128,
            },
            "game": {
                "type": "string",
                "description": "the id of the game; not needed if you have exactly one seat",
                "minLength": 1,
                "maxLength": 64,
            },
            "token": {
                "type": "string",
                "description": "the token of a seat: identifies its game and its player",
                "minLength": 1,
                "maxLength": 128,
            },
            "nick": {
                "type": "string",
                "description": "ignored: anyone may follow a game",
                "minLength": 1,
                "maxLength": 32,
            },
            "since": {
                "type": "integer",
                "description": "first send every update with a greater number",
                "minimum": 0,
            },
            "feed": {
                "type": "string",
                "description": "receive every update, or a turn whenever your seat is to act; "
                "default updates",
                "enum": ["updates", "turns"],
            },
            "cmd": {"const": "update"},
        },
        "required": ["cmd"],
        "additionalProperties": False,
    }


def test_bye_has_the_documented_schema() -> None:
    assert SCHEMAS.frames["bye"] == {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "code": {"type": "string"},
            "retry_after": {"type": "integer"},
            "type": {"const": "bye"},
        },
        "required": ["type", "reason", "code"],
    }


def test_the_schema_of_a_route_limits_its_items() -> None:
    route = SCHEMAS.commands["notify"]["properties"]["route"]
    assert (route["type"], route["items"]) == ("array", {"type": "string"})
    assert route["maxItems"] == 32
    assert "maxLength" not in route


def test_the_schema_describes_places_and_boards() -> None:
    notify, join = (SCHEMAS.commands[cmd]["properties"] for cmd in ("notify", "join"))
    assert "from_" not in notify
    assert notify["place"]["required"] == ["row", "col"]
    assert notify["place"]["additionalProperties"] is False
    for name in ("from", "to"):
        assert [choice["type"] for choice in notify[name]["anyOf"]] == ["integer", "object"]
    row = {"type": "array", "items": {"type": "integer"}}
    assert (join["board"]["items"], join["board"]["maxItems"]) == (row, 15)


def test_the_schema_of_join_includes_the_clock() -> None:
    clock = SCHEMAS.commands["join"]["properties"]["clock"]
    assert clock["additionalProperties"] is False
    assert set(clock["properties"]) == set(attrs.fields_dict(Clock))
    assert clock["properties"]["move"]["minimum"] == 0.05
    assert "null" not in json.dumps(SCHEMAS.commands)


def test_the_schema_of_an_update_allows_fields_of_a_position() -> None:
    update = SCHEMAS.frames["update"]
    assert set(update["properties"]) == {"type", "game", "seq"}
    assert "additionalProperties" not in update


def test_the_schema_of_a_turn_allows_null() -> None:
    running = SCHEMAS.frames["reply games"]["properties"]["games"]["items"]
    assert running["properties"]["turn"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert "turn" in running["required"]
    assert "group" not in running["required"]


# -- commands


@pytest.mark.parametrize("cmd", every_command)
def test_the_example_of_a_command_fits_only_its_own_schema(cmd: str) -> None:
    fits = [name for name in every_command if of_command(name).is_valid(COMMANDS[cmd].example)]
    assert fits == [cmd]


@given(any_command)
def test_every_command_fits_its_schema(command: Command) -> None:
    of_command(command.cmd).validate(json.loads(encode_command(command)))


def holds_a_whole_float(value: Any) -> bool:
    """JSON Schema takes 3.0 for an integer, and the codec does not."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(map(holds_a_whole_float, value))
    return isinstance(value, float) and value.is_integer()


def assert_agreed(fields: dict[str, Any]) -> None:
    """Assert that the codec and the schema accept the same shapes."""
    answer = decode(orjson.dumps(fields))
    fits = of_command(fields["cmd"]).is_valid(fields)
    if isinstance(answer, Command):
        assert fits
    elif answer.code in WRONG_SHAPE and not holds_a_whole_float(fields):
        assert not fits


@pytest.mark.slow
@given(
    st.fixed_dictionaries(
        {"cmd": st.sampled_from(every_command)},
        optional=dict.fromkeys(FIELD_NAMES, json_values),
    )
)
def test_codec_and_schema_agree_on_any_fields(fields: dict[str, Any]) -> None:
    assert_agreed(fields)


@given(any_command, st.sampled_from([*FIELD_NAMES, "unknown"]), json_values)
def test_codec_and_schema_agree_when_one_field_is_changed(
    command: Command, name: str, value: Any
) -> None:
    assert_agreed({**json.loads(encode_command(command)), name: value})


@given(any_command, st.data())
def test_codec_and_schema_agree_when_one_field_is_missing(
    command: Command, data: st.DataObject
) -> None:
    fields = json.loads(encode_command(command))
    del fields[data.draw(st.sampled_from(sorted(fields)))]
    assert_agreed({"cmd": command.cmd, **fields})


@given(st.dictionaries(st.sampled_from(["move", "total", "increment", "x"]), json_values))
def test_codec_and_schema_agree_on_clocks(clock: dict[str, Any]) -> None:
    assert_agreed({"cmd": "join", "clock": clock})


# -- frames


@given(any_frame)
def test_every_frame_fits_its_schema(frame: Frame) -> None:
    of_frame(name_of(frame)).validate(json.loads(encode(frame)))


@given(any_frame, st.data())
def test_a_frame_without_a_required_field_does_not_fit(frame: Frame, data: st.DataObject) -> None:
    fields = dump_frame(frame)
    validator = of_frame(name_of(frame))
    name = data.draw(st.sampled_from(sorted(fields)))
    del fields[name]
    assert validator.is_valid(fields) == (name not in validator.schema["required"])


def test_the_reply_to_a_command_without_a_class_is_a_bare_reply() -> None:
    bare = {"type": "reply", "cmd": "ping"}
    assert of_frame(name_of(Reply(cmd="ping"))).is_valid(bare)
    assert not of_frame("reply join").is_valid(bare)


def test_frames_may_have_fields_of_a_newer_version() -> None:
    hello = {"type": "hello", "server": "tabnet", "protocol": 2, "games": [], "newer": True}
    assert of_frame("hello").is_valid(hello)
