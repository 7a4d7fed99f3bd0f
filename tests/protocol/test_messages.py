"""The declarations of the commands."""

from __future__ import annotations

import inspect
from typing import Any

import attrs
import pytest
from hypothesis import given

from tabnet.games import GAMES
from tabnet.games.field_declarations import (
    Coordinate,
    KindFields,
    WireField,
    WireLimits,
    kind_field,
)
from tabnet.protocol import messages
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.fields import (
    Clock,
    find_kinds_attribute,
    list_kind_fields,
    list_wire_fields,
)
from tabnet.protocol.messages import (
    COMMANDS,
    Check,
    Command,
    Join,
    Moves,
    Notify,
    Ping,
    RollCommand,
    get_move_fields,
)
from tests.protocol.strategies import any_command

CLASSES = [*COMMANDS.values(), Clock, Coordinate]


def test_every_command_class_is_registered_under_its_name() -> None:
    written = {
        cls.cmd: cls
        for _, cls in inspect.getmembers(messages, inspect.isclass)
        if issubclass(cls, Command) and "cmd" in vars(cls)
    }
    assert written == COMMANDS


@pytest.mark.parametrize("cls", CLASSES)
def test_every_class_has_a_description(cls: type[Any]) -> None:
    text = inspect.getdoc(cls)
    assert text is not None
    assert text[0].isupper()
    assert text.endswith((".", "?"))


@pytest.mark.parametrize("cls", CLASSES)
def test_every_field_has_a_description(cls: type[Any]) -> None:
    for name, each in list_wire_fields(cls).items():
        assert isinstance(each.wire, WireLimits), name
        assert len(each.wire.help) > len(name), name


@pytest.mark.parametrize("cls", COMMANDS.values())
def test_every_error_of_a_command_has_a_known_code(cls: type[Command]) -> None:
    assert set(cls.errors) <= set(CODES)
    assert len(set(cls.errors)) == len(cls.errors)


@pytest.mark.parametrize("cls", COMMANDS.values())
def test_a_field_is_required_or_absent_by_default(cls: type[Command]) -> None:
    assert all(each.default in (attrs.NOTHING, None) for each in list_wire_fields(cls).values())


def test_every_command_takes_an_id() -> None:
    assert all("id" in attrs.fields_dict(cls) for cls in COMMANDS.values())


def test_commands_are_hashable_and_equal_by_value() -> None:
    assert {RollCommand(game="a"), RollCommand(game="a"), RollCommand(game="b")} == {
        RollCommand(game="a"),
        RollCommand(game="b"),
    }


# -- the fields of a move


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        (Notify(move={"cell": 8}), {"cell": 8}),
        (Notify(id=1, nick="zp", password="x", game="g", token="t"), {}),
        (Check(command="notify", move={"from": 8, "to": 25}), {"from": 8, "to": 25}),
        (Check(command="roll"), {}),
        (Moves(move={"route": ["c3"]}, player="zp"), {"route": ["c3"]}),
        (RollCommand(game="g"), {}),
        (Ping(id=1), {}),
    ],
    ids=repr,
)
def test_a_move_has_the_given_fields(command: Command, fields: dict[str, Any]) -> None:
    assert get_move_fields(command) == fields


@given(any_command)
def test_only_three_commands_have_the_fields_of_a_move(command: Command) -> None:
    fields = get_move_fields(command)
    declared = {
        name for game in GAMES.values() for name in {**game.fields.notify, **game.fields.moves}
    }
    assert fields.keys() <= declared
    assert not fields or command.cmd in ("notify", "moves", "check")


# -- the fields of the kinds of games


def test_the_types_and_limits_of_several_kinds_become_one_field(monkeypatch: Any) -> None:
    tab, fish = GAMES["tab"], GAMES["fish"]
    declared = {
        tab: {"n": kind_field(int, "one", minimum=0, maximum=9, hint="0 to 9")},
        fish: {"n": kind_field(str, "another", shortest=1, longest=5, bad="bad {value}")},
        GAMES["plakoto"]: {"n": kind_field(int, "a third", minimum=-5, maximum=4)},
        GAMES["draughts"]: {"n": kind_field(tuple[str, ...], "a list", longest=7)},
    }
    for game in GAMES.values():
        fields = KindFields(join=declared.get(game, {}), notify={})
        monkeypatch.setattr(type(game), "fields", fields)
    (field,) = list_kind_fields("join").values()
    assert field == WireField(
        int | str | tuple[str, ...] | None,
        WireLimits(
            "Tab: one; draughts: a list; Fish: another; Plakoto: a third",
            minimum=-5,
            maximum=9,
            longest=7,
            bad="bad {value}",
            hint="0 to 9",
        ),
    )
    unlimited = KindFields(join={"n": kind_field(int, "any")}, notify={})
    monkeypatch.setattr(type(tab), "fields", unlimited)
    (field,) = list_kind_fields("join").values()
    assert (field.wire.minimum, field.wire.maximum) == (None, None)


def test_a_command_without_fields_of_kinds_has_no_attribute_for_them() -> None:
    assert find_kinds_attribute(Ping) is None
    assert find_kinds_attribute(Join) == "options"
    assert find_kinds_attribute(Check) == "move"
