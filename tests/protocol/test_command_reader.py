"""The accepted values of fields, and the errors for all others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.errors import WireError
from tabnet.protocol.codec import decode
from tabnet.protocol.command_reader import structure
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.fields import Clock
from tabnet.protocol.frames import Failed
from tabnet.protocol.messages import COMMANDS, Command, Join, Moves, Notify, Ping, Register
from tests.protocol.strategies import json_values


def sent(cmd: str, **fields: Any) -> Command | Failed:
    return decode(json.dumps({"cmd": cmd, **fields}).encode())


def accepted(cmd: str, **fields: Any) -> Command:
    command = sent(cmd, **fields)
    assert isinstance(command, COMMANDS[cmd])
    return command


def refused(cmd: str, **fields: Any) -> Failed:
    failed = sent(cmd, **fields)
    assert isinstance(failed, Failed)
    assert failed.code in CODES
    assert failed.cmd == cmd
    assert failed.example == COMMANDS[cmd].example
    return failed


def error_of(failed: Failed) -> tuple[str, str, str | None]:
    return failed.code, failed.error, failed.field


# -- the texts players know


@pytest.mark.parametrize(
    ("cmd", "fields", "text"),
    [
        ("notify", {"cell": True}, "cell is not an integer"),
        ("notify", {"cell": -1}, "cell is negative"),
        ("join", {"group": 99, "size": "large"}, "invalid size 'large'"),
        ("join", {"group": "2 of us", "size": 9}, "invalid group '2 of us'"),
        ("join", {"group": 0, "size": 9}, "invalid group '0'"),
        ("ranking", {"group": 99, "size": 3.1416}, "Invalid size '3.1416'"),
        ("ranking", {"group": "2 of us", "size": 3}, "Invalid group '2 of us'"),
        ("ranking", {"group": 99, "size": 0}, "Invalid size '0'"),
        ("ranking", {"group": True, "size": 3}, "Invalid group 'true'"),
        ("ranking", {"group": None, "size": 3}, "Invalid group 'null'"),
        ("register", {"nick": "zp"}, "undefined password"),
        ("register", {"password": "secret"}, "undefined nick"),
        ("check", {"cell": 8}, "undefined command"),
    ],
)
def test_refusals_have_the_documented_texts(cmd: str, fields: dict[str, Any], text: str) -> None:
    assert refused(cmd, **fields).error == text


def test_a_hint_describes_the_accepted_values() -> None:
    assert refused("join", size="large").hint == "an odd integer from 7 to 15"
    assert refused("ranking", group=-3).hint == "a positive integer"


# -- integers


@pytest.mark.parametrize("value", ["3", 3.0, 3.5, True, False, None, [3], {"cell": 3}], ids=repr)
def test_values_that_are_not_integers_are_refused(value: Any) -> None:
    failed = refused("notify", cell=value)
    assert error_of(failed) == ("wrong_type", "cell is not an integer", "cell")


def test_integers_have_limits() -> None:
    assert accepted("notify", cell=0) == Notify(move={"cell": 0})
    assert accepted("notify", cell=2**63 - 1) == Notify(move={"cell": 2**63 - 1})
    assert error_of(refused("notify", to=-1)) == ("bad_value", "to is negative", "to")
    assert accepted("join", seat=3) == Join(seat=3)
    assert error_of(refused("join", seat=4)) == ("bad_value", "seat is more than 3", "seat")
    assert accepted("join", group=1) == Join(group=1)
    assert refused("join", group=-5).error == "invalid group '-5'"


# -- strings


@pytest.mark.parametrize("value", [None, 5, 5.5, True, ["zp"], {}], ids=repr)
def test_values_that_are_not_strings_are_refused(value: Any) -> None:
    failed = refused("register", nick=value, password="secret")
    assert error_of(failed) == ("wrong_type", "nick is not a string", "nick")


LONGEST = {"nick": 32, "password": 256, "game": 64, "token": 128}


@pytest.mark.parametrize(("name", "longest"), LONGEST.items())
def test_names_have_a_minimum_and_maximum_length(name: str, longest: int) -> None:
    accepted("roll", **{name: "x" * longest})
    accepted("roll", **{name: "x"})
    assert error_of(refused("roll", **{name: "x" * (longest + 1)})) == (
        "bad_value",
        f"{name} is longer than {longest}",
        name,
    )
    assert error_of(refused("roll", **{name: ""})) == ("bad_value", f"{name} is empty", name)


@pytest.mark.parametrize(
    ("cmd", "name", "shortest"), [("join", "salt_hash", 64), ("salt", "salt", 32)]
)
def test_a_hash_and_a_salt_have_a_minimum_length(cmd: str, name: str, shortest: int) -> None:
    accepted(cmd, **{name: "0" * shortest})
    assert (
        refused(cmd, **{name: "0" * (shortest - 1)}).error == f"{name} is shorter than {shortest}"
    )


@pytest.mark.parametrize(
    ("cmd", "name"),
    [("join", "kind"), ("ranking", "kind"), ("games", "kind"), ("help", "about")],
)
def test_names_of_kinds_and_commands_have_a_maximum_length(cmd: str, name: str) -> None:
    accepted(cmd, **{name: "x" * 32})
    assert refused(cmd, **{name: "x" * 33}).error == f"{name} is longer than 32"


def test_length_counts_characters() -> None:
    assert accepted("roll", nick="é" * 32)
    assert accepted("roll", nick="𝄞" * 32)


@pytest.mark.parametrize(
    "nick",
    [
        "z\x00p",
        "z\np",
        "z\tp",
        "\x1b[31mzp",
        "z\x7fp",
        "z\x85p",
        "z\u2028p",
        " zp",
        "zp ",
        " ",
        "\u00a0zp",
        "\u202egpj",
        "z\u200bp",
        "\ufeffzp",
        "z\ue000p",
    ],
    ids=ascii,
)
def test_a_nick_must_be_printable_on_one_line(nick: str) -> None:
    failed = refused("register", nick=nick, password="secret")
    assert error_of(failed) == ("bad_value", "nick is not printable on one line", "nick")
    assert failed.hint == "1 to 32 printable characters, no spaces around them"


@pytest.mark.parametrize("nick", ["zp", "João", "Ана", "李", "a b", "😀", "<b>", "'; --", "null"])
def test_any_printable_nick_is_accepted(nick: str) -> None:
    assert accepted("register", nick=nick, password="x") == Register(nick=nick, password="x")


def test_a_password_may_contain_any_character() -> None:
    password = " \x00\u202e\n "
    assert accepted("register", nick="zp", password=password) == Register(
        nick="zp", password=password
    )


# -- true and false, lists


@pytest.mark.parametrize("value", [0, 1, "true", None, []], ids=repr)
def test_values_that_are_not_booleans_are_refused(value: Any) -> None:
    assert error_of(refused("join", auto=value)) == (
        "wrong_type",
        "auto is not true or false",
        "auto",
    )


@pytest.mark.parametrize(
    "value",
    ["c3", "c3-d4", {"0": "c3"}, ["c3", 4], [None], [["c3"]], None, 3],
    ids=repr,
)
def test_a_route_is_a_list_of_strings(value: Any) -> None:
    assert error_of(refused("moves", route=value)) == (
        "wrong_type",
        "route is not a list of strings",
        "route",
    )


def test_a_route_has_32_squares_at_most() -> None:
    assert accepted("moves", route=[]) == Moves(move={"route": []})
    assert accepted("moves", route=["c3"] * 32) == Moves(move={"route": ["c3"] * 32})
    assert error_of(refused("moves", route=["c3"] * 33)) == (
        "bad_value",
        "route is longer than 32",
        "route",
    )


# -- places and boards


def test_a_place_has_a_row_and_a_col() -> None:
    place = {"row": 3, "col": -1}
    assert accepted("notify", place=place) == Notify(move={"place": place})
    assert accepted("notify", **{"from": place}, to=place) == Notify(
        move={"from": place, "to": place}
    )
    assert accepted("moves", **{"from": place}) == Moves(move={"from": place})
    assert accepted("notify", **{"from": 8}, to=3) == Notify(move={"from": 8, "to": 3})


@pytest.mark.parametrize(
    ("value", "code", "text", "field"),
    [
        (3, "wrong_type", "place is not an object with row and col", "place"),
        ([3, 1], "wrong_type", "place is not an object with row and col", "place"),
        ({"row": 3}, "undefined_field", "place: undefined col", "place.col"),
        ({"row": "3", "col": 1}, "wrong_type", "place: row is not an integer", "place.row"),
        ({"row": 3, "col": 1, "x": 1}, "unknown_field", "place: unknown field x", "place.x"),
    ],
    ids=repr,
)
def test_an_invalid_place_is_refused(value: Any, code: str, text: str, field: str) -> None:
    assert error_of(refused("notify", place=value)) == (code, text, field)


@pytest.mark.parametrize("name", ["from", "to"])
def test_a_start_and_a_destination_are_numbers_or_places(name: str) -> None:
    words = f"{name} is not an integer or an object with row and col"
    assert error_of(refused("notify", **{name: "c3"})) == ("wrong_type", words, name)
    assert error_of(refused("notify", **{name: -1})) == ("bad_value", f"{name} is negative", name)
    failed = refused("notify", from_=3)
    assert error_of(failed) == ("unknown_field", "unknown field from_", "from_")
    assert "to, route, from, place" in str(failed.hint)


def test_a_board_is_rows_of_numbers() -> None:
    assert accepted("join", board=[[1, 2], []]) == Join(options={"board": [[1, 2], []]})
    assert accepted("join", board=[]) == Join(options={"board": []})
    assert accepted("join", board=[[0]] * 15) == Join(options={"board": [[0]] * 15})
    assert error_of(refused("join", board=[[0]] * 16)) == (
        "bad_value",
        "board is longer than 15",
        "board",
    )


@pytest.mark.parametrize(
    "value", ["[[1]]", [1], [[1], 2], [[1, "2"]], [[True]], [[1.0]], {}, [["c3"]]], ids=repr
)
def test_an_invalid_board_is_refused(value: Any) -> None:
    text = "board is not a list of lists of integers"
    assert error_of(refused("join", board=value)) == ("wrong_type", text, "board")


# -- ids


@pytest.mark.parametrize("id", [0, -1, 7, 2**63 - 1, -(2**63), "", "a", "7", "x" * 128])
def test_an_id_is_a_string_or_an_integer(id: int | str) -> None:
    assert accepted("ping", id=id) == Ping(id=id)


@pytest.mark.parametrize("id", [None, True, 1.0, [], {}], ids=repr)
def test_other_values_are_not_ids(id: Any) -> None:
    failed = refused("ping", id=id)
    assert error_of(failed) == ("wrong_type", "id is not an integer or a string", "id")
    assert failed.id is None


def test_an_id_has_128_characters_at_most() -> None:
    failed = refused("ping", id="x" * 129)
    assert error_of(failed) == ("bad_value", "id is longer than 128", "id")
    assert failed.id is None


# -- unknown fields


def test_the_refusal_of_an_unknown_field_lists_the_known_fields() -> None:
    failed = refused("leave", sise=9)
    assert error_of(failed) == ("unknown_field", "unknown field sise", "sise")
    assert failed.hint == "known are id, nick, password, game, token"


def test_the_refusal_of_several_unknown_fields_is_deterministic() -> None:
    assert refused("ping", zebra=1, ant=2, bee=3).field == "ant"


@pytest.mark.parametrize("cmd", sorted(COMMANDS))
def test_every_command_refuses_unknown_fields(cmd: str) -> None:
    failed = refused(**COMMANDS[cmd].example, Nick="zp")
    assert error_of(failed) == ("unknown_field", "unknown field Nick", "Nick")


def test_a_field_of_another_command_is_unknown() -> None:
    assert refused("roll", cell=8).field == "cell"


def test_a_wrong_value_is_reported_before_an_unknown_field() -> None:
    assert refused("notify", cell="8", sell=8).field == "cell"


# -- clocks


@pytest.mark.parametrize(
    ("given", "clock"),
    [
        ({"move": 120}, Clock(move=120)),
        ({"move": 0.05}, Clock(move=0.05)),
        ({"move": 86400}, Clock(move=86400)),
        ({"total": 600}, Clock(total=600)),
        ({"total": 600, "increment": 5}, Clock(total=600, increment=5)),
        ({"total": 0.5, "increment": 0}, Clock(total=0.5, increment=0)),
        ({"total": 86400, "increment": 3600}, Clock(total=86400, increment=3600)),
    ],
)
def test_valid_clocks_are_accepted(given: dict[str, Any], clock: Clock) -> None:
    assert accepted("join", clock=given) == Join(clock=clock)


@pytest.mark.parametrize(
    "clock",
    [
        {},
        {"increment": 5},
        {"move": 120, "total": 600},
        {"move": 120, "increment": 5},
        {"move": 120, "total": 600, "increment": 5},
    ],
    ids=str,
)
def test_a_clock_is_either_per_move_or_per_game(clock: dict[str, Any]) -> None:
    failed = refused("join", clock=clock)
    assert error_of(failed) == (
        "bad_value",
        "a clock has either move, or total and perhaps increment",
        "clock",
    )
    assert failed.hint == '{"move":120} or {"total":600,"increment":5}'


@pytest.mark.parametrize(
    ("clock", "code", "text", "field"),
    [
        (120, "wrong_type", "clock is not an object", "clock"),
        (None, "wrong_type", "clock is not an object", "clock"),
        ("fast", "wrong_type", "clock is not an object", "clock"),
        ([120], "wrong_type", "clock is not an object", "clock"),
        ({"move": "120"}, "wrong_type", "clock: move is not a number", "clock.move"),
        ({"move": True}, "wrong_type", "clock: move is not a number", "clock.move"),
        ({"move": None}, "wrong_type", "clock: move is not a number", "clock.move"),
        ({"move": 0}, "bad_value", "clock: move is less than 0.05", "clock.move"),
        ({"move": -1}, "bad_value", "clock: move is less than 0.05", "clock.move"),
        ({"move": 86401}, "bad_value", "clock: move is more than 86400", "clock.move"),
        ({"total": 0}, "bad_value", "clock: total is less than 0.05", "clock.total"),
        ({"total": 1e300}, "bad_value", "clock: total is more than 86400", "clock.total"),
        (
            {"total": 60, "increment": -1},
            "bad_value",
            "clock: increment is negative",
            "clock.increment",
        ),
        (
            {"total": 60, "increment": 3601},
            "bad_value",
            "clock: increment is more than 3600",
            "clock.increment",
        ),
        ({"moves": 120}, "unknown_field", "clock: unknown field moves", "clock.moves"),
    ],
)
def test_the_refusal_of_a_clock_names_the_path_of_the_field(
    clock: Any, code: str, text: str, field: str
) -> None:
    assert error_of(refused("join", clock=clock)) == (code, text, field)


def test_the_refusal_of_an_unknown_clock_field_lists_the_known_fields() -> None:
    assert refused("join", clock={"seconds": 5}).hint == "known are move, total, increment"


# -- structure itself


def test_structure_raises_the_same_errors_as_decode() -> None:
    with pytest.raises(WireError) as caught:
        structure(Notify, {"cell": "8"})
    assert (caught.value.code, caught.value.field) == ("wrong_type", "cell")
    assert structure(Notify, {"cell": 8}) == Notify(move={"cell": 8})


@given(st.dictionaries(st.sampled_from(["move", "total", "increment"]), json_values))
def test_an_arbitrary_clock_is_accepted_or_refused_with_a_path(clock: dict[str, Any]) -> None:
    command = sent("join", clock=clock)
    if isinstance(command, Failed):
        assert (command.field or "").split(".")[0] == "clock"
    else:
        assert command == Join(clock=Clock(**clock))


@pytest.mark.parametrize(("cmd", "attribute"), [("join", "options"), ("notify", "move")])
def test_the_attribute_for_kind_fields_is_not_a_field(cmd: str, attribute: str) -> None:
    failed = refused(cmd, **{attribute: {"size": 9, "cell": 8}})
    assert error_of(failed) == ("unknown_field", f"unknown field {attribute}", attribute)
    assert attribute not in str(failed.hint).split(", ")
