"""The response to `help`."""

from __future__ import annotations

import orjson
import pytest

from tabnet.errors import Refused
from tabnet.games import GAMES
from tabnet.protocol.codec import decode, decode_frame, encode
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.fields import Clock, list_wire_fields
from tabnet.protocol.help_reply import SUMMARY, describe_fields, make_guide
from tabnet.protocol.line_splitter import MAX_LINE
from tabnet.protocol.messages import COMMANDS, Help, Join, Moves, Notify, Register


def test_help_describes_every_command_in_a_sentence() -> None:
    reply = make_guide(None)
    assert (reply.cmd, reply.about, reply.summary) == ("help", None, SUMMARY)
    assert reply.commands is not None
    assert list(reply.commands) == list(COMMANDS)
    assert reply.commands["roll"] == "Throw the sticks or dice."
    assert all(sentence.strip() == sentence != "" for sentence in reply.commands.values())
    assert (reply.fields, reply.errors) == (None, None)
    assert decode(orjson.dumps(reply.example)) == Help(about="join")


def test_the_summary_of_a_command_has_its_example() -> None:
    assert orjson.dumps(make_guide(None).example).decode() in SUMMARY


@pytest.mark.parametrize("cmd", COMMANDS)
def test_help_explains_every_command(cmd: str) -> None:
    reply = make_guide(cmd)
    command = COMMANDS[cmd]
    assert (reply.cmd, reply.about, reply.commands) == ("help", cmd, None)
    assert make_guide(None).commands is not None
    assert reply.summary == (command.summary or command.__doc__)
    assert reply.fields is not None
    assert list(reply.fields) == list(list_wire_fields(command))
    assert all(field["means"] for field in reply.fields.values())
    assert reply.errors == {code: CODES[code] for code in command.errors}
    assert type(decode(orjson.dumps(reply.example))) is command


@pytest.mark.parametrize("cmd", [None, *COMMANDS])
def test_an_explanation_fits_into_one_frame(cmd: str | None) -> None:
    line = encode(make_guide(cmd))
    assert decode_frame(line) == make_guide(cmd)
    assert len(line) < MAX_LINE


@pytest.mark.parametrize("about", ["dance", "", "JOIN", "x" * 32])
def test_an_unknown_command_is_refused_with_the_names_of_the_others(about: str) -> None:
    with pytest.raises(Refused) as caught:
        make_guide(about)
    assert (caught.value.code, caught.value.field) == ("unknown_command", "about")
    assert caught.value.text == f"unknown command '{about}'"
    assert caught.value.hint == f"one of: {' '.join(COMMANDS)}"


def test_the_types_of_fields_are_described_in_words() -> None:
    types = {name: field["type"] for name, field in describe_fields(Join).items()}
    expected = {
        "id": "integer or string, at most 128 characters",
        "nick": "string, 1 to 32 printable characters",
        "password": "string, 1 to 256 characters",
        "kind": "string, at most 32 characters",
        "group": "integer, at least 1",
        "size": "integer",
        "rows": "integer",
        "cols": "integer",
        "fish": "integer",
        "holes": "integer",
        "board": "list of lists of integers, at most 15 elements",
        "seats": "integer, 2 to 4",
        "clock": "object",
        "seat": "integer, 0 to 3",
        "auto": "true or false",
        "strict": "true or false",
        "private": "true or false",
        "invite": "string, 1 to 128 characters",
        "again": "string, 1 to 64 characters",
        "token": "string, 1 to 128 characters",
        "feed": "updates or turns",
        "opponent": "string, 1 to 32 characters",
        "salt_hash": "string, 64 characters",
    }
    of_kinds = {name for game in GAMES.values() for name in game.fields.join}
    assert expected.items() <= types.items()
    assert types.keys() - expected.keys() <= of_kinds
    assert describe_fields(Moves)["route"]["type"] == "list of strings, at most 32 elements"
    assert describe_fields(Notify)["to"]["type"] == "integer or object with row and col, at least 0"
    assert describe_fields(Clock)["increment"]["type"] == "number, 0 to 3600"


def test_required_fields_are_marked() -> None:
    required = {name for name, field in describe_fields(Register).items() if field["required"]}
    assert required == {"nick", "password"}
    assert not any(field["required"] for field in describe_fields(Join).values())


def test_a_field_is_explained_by_its_own_text() -> None:
    fields = describe_fields(Moves)["player"]
    assert fields == {
        "type": fields["type"],
        "required": False,
        "means": "only what this player can do",
    }
