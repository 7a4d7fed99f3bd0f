"""Lines into commands, and commands into lines."""

from __future__ import annotations

import json
from typing import Any

import attrs
import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabnet.errors import IllegalMove, WireError
from tabnet.protocol.codec import (
    EXAMPLE,
    MAX_DEPTH,
    MAX_LINE_BYTES,
    MAX_LINES,
    build_command,
    decode,
    encode,
    encode_command,
    make_refusal,
    read_object,
)
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.fields import Clock, find_kinds_attribute
from tabnet.protocol.frames import Failed
from tabnet.protocol.messages import (
    COMMANDS,
    Command,
    Help,
    Join,
    Notify,
    Ping,
)
from tests.protocol.strategies import (
    FIELD_NAMES,
    any_command,
    every_command,
    json_values,
    texts,
)

HINT = 'a command looks like {"cmd":"help"}'
LONGEST_REFUSAL = 4096


def refused(line: bytes | str) -> Failed:
    failed = decode(line if isinstance(line, bytes) else line.encode())
    assert isinstance(failed, Failed)
    return failed


def assert_helpful(failed: Failed) -> None:
    """Its code is known, its example is right, and it is not much longer than what it refuses."""
    assert failed.code in CODES
    assert failed.example is not None
    assert isinstance(decode(orjson.dumps(failed.example)), Command)
    assert len(encode(failed)) < LONGEST_REFUSAL


# -- invalid JSON


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"hello",
        b"GET / HTTP/1.1",
        b"{",
        b"{'cmd':'ping'}",
        b'{"cmd":"ping",}',
        b'{"cmd":"ping"} {"cmd":"ping"}',
        b'{"cmd":"ping"}x',
        b"{cmd:ping}",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b'\xef\xbb\xbf{"cmd":"ping"}',
        '{"cmd":"ping"}'.encode("utf-16-le"),
        '{"cmd":"ping"}'.encode("utf-32-be"),
        b'{"cmd":"ping","id":01}',
        b'{"cmd":"ping","id":+1}',
        b'{"cmd":"ping","id":0x1}',
        b'{"cmd":"ping"} // a comment',
    ],
)
def test_the_refusal_of_invalid_json_has_an_example(line: bytes) -> None:
    failed = refused(line)
    assert (failed.code, failed.cmd, failed.id, failed.hint) == ("not_json", None, None, HINT)
    assert failed.error.startswith("this is not JSON: ")
    assert failed.example == EXAMPLE
    assert decode(orjson.dumps(failed.example)) == Help()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_nan_and_infinity_are_not_json(number: str) -> None:
    assert refused(f'{{"cmd":"join","clock":{{"move":{number}}}}}').code == "not_json"


@pytest.mark.parametrize(
    "text", [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"caf\xe9"]
)
def test_invalid_utf8_is_not_json(text: bytes) -> None:
    assert refused(b'{"cmd":"help","about":"%s"}' % text).code == "not_json"


@pytest.mark.parametrize("escape", [r"\ud800", r"\udc00", r"\udc00\ud800", r"\ud834x"])
def test_a_lone_surrogate_is_not_json(escape: str) -> None:
    assert refused(f'{{"cmd":"help","about":"{escape}"}}').code == "not_json"
    assert refused(f'{{"cmd":"help","{escape}":1}}').code == "not_json"


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert decode(rb'{"cmd":"help","about":"\ud834\udd1e"}') == Help(about="𝄞")


def test_a_nick_may_contain_neither_a_raw_nor_an_escaped_nul() -> None:
    line = b'{"cmd":"register","nick":"z%sp","password":"secret"}'
    assert refused(line % b"\x00").code == "not_json"
    escaped = refused(line % rb"\u0000")
    assert (escaped.code, escaped.field) == ("bad_value", "nick")


@pytest.mark.parametrize("line", ["[]", '[{"cmd":"ping"}]', '"ping"', "7", "1.5", "true", "null"])
def test_a_command_must_be_a_json_object(line: str) -> None:
    failed = refused(line)
    assert (failed.code, failed.error) == ("not_object", "a command is a JSON object")
    assert (failed.hint, failed.example) == (HINT, EXAMPLE)


def test_space_around_a_command_is_ignored() -> None:
    assert decode(b' \t{ "cmd" : "ping" , "id" : 1 }\r\n') == Ping(id=1)


# -- keys


@pytest.mark.parametrize(
    ("line", "twice"),
    [
        ('{"cmd":"ping","cmd":"ping"}', "cmd"),
        ('{"cmd":"ping","id":1,"id":1}', "id"),
        ('{"cmd":"ping","id":1,"cmd":"quit","id":2}', "cmd"),
        (r'{"cmd":"ping","\u0063md":"quit"}', "cmd"),
        ('{"cmd":"join","clock":{"move":1,"move":2}}', "move"),
        ('{"cmd":"ping","x":[{"a":{"b":1,"b":2}}]}', "b"),
        ('{"":1,"":2}', ""),
    ],
)
def test_a_duplicate_key_is_refused(line: str, twice: str) -> None:
    failed = refused(line)
    assert (failed.code, failed.field) == ("duplicate_key", twice)
    assert failed.error == f"{twice} is given twice"


def test_the_same_key_may_stand_in_two_objects() -> None:
    failed = refused('{"cmd":"ping","x":{"a":1},"y":{"a":1}}')
    assert failed.code == "unknown_field"


def test_the_refusal_names_the_first_duplicate_of_thousands_of_keys() -> None:
    keys = [f'"{number:04}":0' for number in range(7000)]
    line = "{" + ",".join([*keys, '"6999":1', '"6998":1']) + "}"
    assert refused(line).field == "6998"


# -- integers


@pytest.mark.parametrize("digits", ["9223372036854775807", "-9223372036854775808", "-0", "0"])
def test_integers_of_64_bits_are_read_exactly(digits: str) -> None:
    assert decode(f'{{"cmd":"ping","id":{digits}}}'.encode()) == Ping(id=int(digits))


@pytest.mark.parametrize(
    "digits",
    [
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "-18446744073709551616",
        "1" + "0" * 300,
        "-1" + "0" * 300,
    ],
    ids=lambda digits: digits[:24],
)
@pytest.mark.parametrize(
    "line",
    ['{"cmd":"ping","id":%s}', '{"cmd":"ping","x":[1,[{"y":%s}]]}', '{"cmd":"notify","cell":%s}'],
)
def test_integers_beyond_64_bits_are_refused_at_any_depth(line: str, digits: str) -> None:
    failed = refused(line % digits)
    assert (failed.code, failed.error) == ("bad_value", "an integer may have 64 bits at most")
    assert failed.hint is not None
    assert failed.hint.startswith(f"not {digits[:19]}")
    assert_helpful(failed)


@pytest.mark.parametrize("sign", ["", "-"])
def test_an_integer_of_thousands_of_digits_is_refused(sign: str) -> None:
    failed = refused(f'{{"cmd":"ping","id":{sign}{"9" * 60_000}}}')
    assert failed.id is None
    assert_helpful(failed)


def test_a_large_number_with_an_exponent_is_not_an_integer() -> None:
    assert refused('{"cmd":"notify","cell":1e20}').error == "cell is not an integer"


# -- depth


def nested(levels: int, opening: str, closing: str) -> bytes:
    """A line nested that deep, the command itself included."""
    inner = levels - 1
    return ('{"cmd":"ping","x":' + opening * inner + "1" + closing * inner + "}").encode()


BRACKETS = [("[", "]"), ('{"a":', "}"), ('["]",', "]")]


@pytest.mark.parametrize(("opening", "closing"), BRACKETS)
def test_sixteen_levels_are_read(opening: str, closing: str) -> None:
    assert MAX_DEPTH == 16
    assert refused(nested(16, opening, closing)).code == "unknown_field"


@pytest.mark.parametrize("levels", [17, 18, 500, 900, 1024, 1025, 100_000])
@pytest.mark.parametrize(("opening", "closing"), BRACKETS)
def test_more_than_sixteen_levels_are_too_deep(levels: int, opening: str, closing: str) -> None:
    failed = refused(nested(levels, opening, closing))
    assert (failed.code, failed.error) == ("too_deep", "JSON may be nested 16 levels deep at most")
    assert failed.example == EXAMPLE


@pytest.mark.parametrize(
    "line",
    [
        b'{"x":"' + b"[" * 60_000,
        b'{"x":"' + rb"\"[" * 20_000,
        b'"[],' * 15_000,
        b"\\[" + b"]" * 30 + b"[{" * 8,
    ],
    ids=["open string", "escaped quotes", "many strings", "unbalanced"],
)
def test_brackets_in_invalid_json_are_refused(line: bytes) -> None:
    assert refused(line).code == "not_json"


def depth_of(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


tricky_texts = st.text('[]{}"\\:,a', max_size=8)
wrappers = st.lists(st.none() | tricky_texts, min_size=8, max_size=18)


@given(json_values, wrappers, tricky_texts)
def test_the_measured_depth_is_the_depth_of_the_value(
    value: Any, around: list[str | None], beside: str
) -> None:
    for key in around:
        value = [beside, value, []] if key is None else {key: value, f"{key} ": {}}
    line = {"cmd": "ping", "x": value}
    assert (refused(json.dumps(line)).code == "too_deep") == (depth_of(line) > MAX_DEPTH)


# -- the name of a command


@pytest.mark.parametrize("line", ["{}", '{"id":7}', '{"nick":"zp"}', '{"Cmd":"ping"}'])
def test_a_command_must_have_a_cmd(line: str) -> None:
    failed = refused(line)
    assert (failed.code, failed.error, failed.field) == ("undefined_field", "undefined cmd", "cmd")
    assert (failed.cmd, failed.hint, failed.example) == (None, HINT, EXAMPLE)


@pytest.mark.parametrize(
    ("cmd", "quoted"),
    [
        ("dance", "dance"),
        ("", ""),
        ("PING", "PING"),
        (" ping", " ping"),
        (None, "null"),
        (7, "7"),
        (True, "true"),
        (["ping"], '["ping"]'),
        ({"ping": 1}, '{"ping": 1}'),
    ],
    ids=repr,
)
def test_the_refusal_of_an_unknown_command_lists_the_known_commands(cmd: Any, quoted: str) -> None:
    failed = refused(json.dumps({"cmd": cmd}))
    assert (failed.code, failed.error) == ("unknown_command", f"unknown command '{quoted}'")
    assert (failed.cmd, failed.field) == (None, "cmd")
    assert failed.hint == f"one of: {' '.join(COMMANDS)}"


def test_the_known_commands_are_listed() -> None:
    assert " ".join(COMMANDS) == (
        "register join leave roll notify pass update ranking "
        "state moves check draw salt games help schema ping quit"
    )


# -- the id of a refused command


REFUSALS = [
    {"cmd": "notify", "cell": "8"},
    {"cmd": "register"},
    {"cmd": "ping", "x": 1},
    {"cmd": "dance"},
    {"cmd": None},
    {},
]


@pytest.mark.parametrize("fields", REFUSALS, ids=str)
@pytest.mark.parametrize("id", [7, 0, -(2**63), "seven", "", "x" * 128])
def test_a_refusal_carries_the_id(fields: dict[str, Any], id: int | str) -> None:
    assert refused(json.dumps({**fields, "id": id})).id == id


@pytest.mark.parametrize("fields", REFUSALS, ids=str)
@pytest.mark.parametrize("id", [None, True, 1.5, [1], {"a": 1}, "x" * 129, "x" * 50_000])
def test_an_invalid_id_is_not_repeated(fields: dict[str, Any], id: Any) -> None:
    failed = refused(json.dumps({**fields, "id": id}))
    assert failed.id is None
    assert_helpful(failed)


# -- refusals


def test_a_known_command_is_refused_with_its_own_example() -> None:
    failed = refused('{"cmd":"join","size":"large"}')
    assert (failed.cmd, failed.example) == ("join", Join.example)


def test_an_error_becomes_a_reply_with_its_fields() -> None:
    error = IllegalMove("occupied", "the destination is not empty", field="to", hint="elsewhere")
    assert make_refusal(error, "notify", 7) == Failed(
        cmd="notify",
        id=7,
        error="the destination is not empty",
        code="occupied",
        field="to",
        hint="elsewhere",
    )


@pytest.mark.parametrize(
    "line",
    [
        {"cmd": "x" * 60_000},
        {"cmd": ["\x00" * 10_000]},
        {"cmd": "ping", "x" * 60_000: 1},
        {"cmd": "join", "size": "x" * 60_000},
        {"cmd": "join", "size": ["é" * 20_000]},
        {"cmd": "join", "clock": {"x" * 60_000: 1}},
    ],
    ids=lambda line: str(line)[:30],
)
def test_a_refusal_shortens_long_values(line: dict[str, Any]) -> None:
    failed = refused(json.dumps(line, ensure_ascii=False))
    assert "…" in failed.error
    assert_helpful(failed)


def test_a_refusal_shortens_a_long_duplicate_key() -> None:
    key = "x" * 30_000
    failed = refused(f'{{"{key}":1,"{key}":2}}')
    assert failed.error == f"{'x' * 100}… is given twice"
    assert_helpful(failed)


# -- the two steps by themselves


def test_read_object_returns_the_json_object() -> None:
    assert read_object(b'{"a":[1,2.5,"x",null,true]}') == {"a": [1, 2.5, "x", None, True]}
    with pytest.raises(WireError, match="a command is a JSON object"):
        read_object(b"[]")


def test_command_from_does_not_change_its_argument() -> None:
    fields = {"cmd": "notify", "cell": 8}
    assert build_command(fields) == Notify(move={"cell": 8})
    assert fields == {"cmd": "notify", "cell": 8}


# -- encoding and decoding


@pytest.mark.parametrize("cmd", every_command)
def test_the_example_of_a_command_is_that_command(cmd: str) -> None:
    command = decode(orjson.dumps(COMMANDS[cmd].example))
    assert type(command) is COMMANDS[cmd]
    assert json.loads(encode_command(command)) == COMMANDS[cmd].example


@pytest.mark.slow
@given(any_command)
def test_decoding_an_encoded_command_returns_the_command(command: Command) -> None:
    line = encode_command(command)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line) == command


@given(any_command)
def test_absent_fields_are_not_encoded(command: Command) -> None:
    written = json.loads(encode_command(command))
    assert written.pop("cmd") == command.cmd
    assert None not in written.values()
    own = {name: getattr(command, name) for name in attrs.fields_dict(type(command))}
    of_kinds = own.pop(find_kinds_attribute(type(command)) or "", {})
    assert written == without_none({**own, **of_kinds})


def without_none(value):
    """JSON values of a command, without what is absent."""
    if isinstance(value, Clock):
        value = attrs.asdict(value)
    if isinstance(value, dict):
        return {name: without_none(each) for name, each in value.items() if each is not None}
    return value


@given(any_command, st.integers(0, 2**30))
def test_the_order_of_fields_is_irrelevant(command: Command, seed: int) -> None:
    fields = list(json.loads(encode_command(command)).items())
    turned = seed % len(fields)
    assert decode(orjson.dumps(dict(fields[turned:] + fields[:turned]))) == command


# -- arbitrary input


def assert_gets_response(line: bytes) -> None:
    answer = decode(line)
    if isinstance(answer, Failed):
        assert_helpful(answer)
    else:
        assert isinstance(answer, Command)
        assert decode(encode_command(answer)) == answer


@given(st.binary())
@example(b"\x00")
def test_arbitrary_bytes_get_a_response(line: bytes) -> None:
    assert_gets_response(line)


@given(st.text('{}[]",:\\ua0123.-e \tcmdpingtrulfs'))
def test_json_like_text_gets_a_response(line: str) -> None:
    assert_gets_response(line.encode())


@given(json_values)
def test_arbitrary_json_gets_a_response(value: Any) -> None:
    assert_gets_response(orjson.dumps(value))


@pytest.mark.slow
@given(
    st.fixed_dictionaries(
        {"cmd": st.sampled_from(every_command)},
        optional=dict.fromkeys(FIELD_NAMES, json_values),
    )
)
def test_a_command_with_arbitrary_fields_gets_a_response(fields: dict[str, Any]) -> None:
    assert_gets_response(orjson.dumps(fields))


@pytest.mark.slow
@given(any_command, texts, json_values)
def test_a_command_with_one_changed_field_gets_a_response(
    command: Command, name: str, value: Any
) -> None:
    fields = json.loads(encode_command(command))
    assert_gets_response(orjson.dumps({**fields, name: value}))
    for known in fields:
        assert_gets_response(orjson.dumps({**fields, known: value}))


@given(any_command, st.binary(max_size=4), st.integers(0, 500), st.integers(0, 4))
def test_a_command_with_replaced_bytes_gets_a_response(
    command: Command, noise: bytes, place: int, removed: int
) -> None:
    line = encode_command(command)
    place %= len(line)
    assert_gets_response(line[:place] + noise + line[place + removed :])


# -- frequent lines


def test_the_same_line_is_the_same_command_again():
    line = b'{"cmd":"notify","cell":3,"to":12}'
    first = decode(line)
    assert first == Notify(move={"cell": 3, "to": 12})
    assert decode(line) is first
    assert decode(b'{"cmd":"notify","cell":3,"to":13}') != first


@pytest.mark.parametrize(
    "line",
    [
        b'{"cmd":"register","nick":"zp","password":"secret"}',
        b'{"cmd":"roll","token":"0123456789abcdef"}',
        b'{"cmd":"roll","id":1}',
        b'{"cmd":"roll"' + b" " * MAX_LINE_BYTES + b"}",
    ],
)
def test_long_lines_and_lines_with_secrets_are_not_kept(line):
    assert decode(line) == decode(line)
    assert decode(line) is not decode(line)


def test_a_flood_of_different_lines_replaces_those_that_were_kept():
    line = b'{"cmd":"roll"}'
    first = decode(line)
    for cell in range(MAX_LINES):
        assert decode(b'{"cmd":"notify","cell":%d}' % cell).move == {"cell": cell}
    assert decode(line) == first
    assert decode(line) is not first
    assert decode(line) is decode(line)
