"""The commands themselves: what their classes declare."""

from __future__ import annotations

import inspect
from typing import Any

import attrs
import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given

from tabnet.errors import CODES
from tabnet.protocol import messages
from tabnet.protocol.fields import Clock, Coordinate, Wire
from tabnet.protocol.messages import (
    COMMANDS,
    Check,
    Command,
    Moves,
    Notify,
    Ping,
    Roll,
    move_fields,
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
def test_every_class_says_in_a_sentence_what_it_is(cls: type[Any]) -> None:
    text = inspect.getdoc(cls)
    assert text is not None
    assert text[0].isupper()
    assert text.endswith((".", "?"))


@pytest.mark.parametrize("cls", CLASSES)
def test_every_field_says_what_it_means(cls: type[Any]) -> None:
    for attribute in attrs.fields(cls):
        wire = attribute.metadata["wire"]
        assert isinstance(wire, Wire), attribute.name
        assert len(wire.help) > len(attribute.name), attribute.name


@pytest.mark.parametrize("cls", COMMANDS.values())
def test_every_error_of_a_command_has_a_known_code(cls: type[Command]) -> None:
    assert set(cls.errors) <= set(CODES)
    assert len(set(cls.errors)) == len(cls.errors)


@pytest.mark.parametrize("cls", COMMANDS.values())
def test_a_field_is_required_or_absent_by_default(cls: type[Command]) -> None:
    assert all(a.default in (attrs.NOTHING, None) for a in attrs.fields(cls))


def test_every_command_takes_an_id_and_is_frozen() -> None:
    assert all("id" in attrs.fields_dict(cls) for cls in COMMANDS.values())
    ping = Ping(id=1)
    with pytest.raises(FrozenInstanceError):
        ping.id = 2  # type: ignore[misc]


def test_commands_are_hashable_and_equal_by_value() -> None:
    assert {Roll(game="a"), Roll(game="a"), Roll(game="b")} == {Roll(game="a"), Roll(game="b")}


# -- the fields of a move


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        (Notify(cell=8), {"cell": 8}),
        (Notify(cell=0, to=0), {"cell": 0, "to": 0}),
        (Notify(route=("c3", "d4")), {"route": ["c3", "d4"]}),
        (Notify(route=()), {"route": []}),
        (Notify(from_=8, to=25), {"from": 8, "to": 25}),
        (Moves(from_=0), {"from": 0}),
        (Notify(id=1, nick="zp", password="x", game="g", token="t"), {}),
        (Check(command="notify", cell=8), {"cell": 8}),
        (Check(command="roll"), {}),
        (Moves(cell=3, player="zp"), {"cell": 3}),
        (Moves(route=("c3",)), {"route": ["c3"]}),
        (
            Notify(from_=Coordinate(row=0, col=3), to=Coordinate(row=2, col=3)),
            {"from": {"row": 0, "col": 3}, "to": {"row": 2, "col": 3}},
        ),
        (Notify(place=Coordinate(row=1, col=0)), {"place": {"row": 1, "col": 0}}),
        (Moves(from_=Coordinate(row=1, col=0)), {"from": {"row": 1, "col": 0}}),
        (Roll(game="g"), {}),
        (Ping(id=1), {}),
    ],
    ids=repr,
)
def test_the_fields_of_a_move_are_those_that_are_given(
    command: Command, fields: dict[str, Any]
) -> None:
    assert move_fields(command) == fields


@given(any_command)
def test_any_command_has_only_fields_of_its_own_among_those_of_a_move(command: Command) -> None:
    fields = move_fields(command)
    assert set(fields) <= {"cell", "from", "to", "place", "route"}
    for name, value in fields.items():
        own = getattr(command, "from_" if name == "from" else name)
        if isinstance(own, Coordinate):
            own = {"row": own.row, "col": own.col}
        assert value == (list(own) if name == "route" else own)
