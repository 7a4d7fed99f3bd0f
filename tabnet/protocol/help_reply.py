"""The response to `help`: every command described from its class."""

from __future__ import annotations

from typing import Any

import attrs

from tabnet.errors import Refused, quote
from tabnet.games.field_declarations import WireLimits
from tabnet.protocol.command_reader import describe_types, list_types
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.fields import Clock, list_wire_fields
from tabnet.protocol.frames import Guide
from tabnet.protocol.messages import COMMANDS, Command

SUMMARY = (
    "Type one JSON object per line. Say register or join, then roll, notify and pass when the "
    'updates say it is your turn. {"cmd":"help","about":"join"} explains a command.'
)


def make_guide(about: str | None) -> Guide:
    """Return the reply to help, without its id; raises `Refused` for an unknown command."""
    if about is None:
        commands = {cmd: _get_summary(command) for cmd, command in COMMANDS.items()}
        example = {"cmd": "help", "about": "join"}
        return Guide(cmd="help", summary=SUMMARY, commands=commands, example=example)
    command = COMMANDS.get(about)
    if command is None:
        raise Refused(
            "unknown_command",
            f"unknown command {quote(about)}",
            field="about",
            hint=f"one of: {' '.join(COMMANDS)}",
        )
    return Guide(
        cmd="help",
        about=about,
        summary=_get_summary(command),
        fields=describe_fields(command),
        errors={code: CODES[code] for code in command.errors},
        example=command.example,
    )


def _get_summary(command: type[Command]) -> str:
    return command.summary or (command.__doc__ or "").strip()


def describe_fields(command: type[Command | Clock]) -> dict[str, Any]:
    return {
        name: {
            "type": describe_type(each.type, each.wire),
            "required": each.default is attrs.NOTHING,
            "means": each.wire.help,
        }
        for name, each in list_wire_fields(command).items()
    }


def describe_type(hint: Any, wire: WireLimits) -> str:
    """Return the type of a field and its limits: `string, 1 to 32 printable characters`."""
    if wire.one_of:
        return " or ".join(wire.one_of)
    words = [
        describe_types((kind,)).removeprefix("an ").removeprefix("a ") for kind in list_types(hint)
    ]
    limits = _describe_range(wire.minimum, wire.maximum)
    if wire.longest is not None:
        unit = "characters" if "string" in words else "elements"
        printable = "printable " if wire.printable else ""
        limits = f"{_describe_range(wire.shortest or None, wire.longest)} {printable}{unit}"
    return " or ".join(words) + (f", {limits}" if limits else "")


def _describe_range(least: float | None, most: float | None) -> str:
    if least is None:
        return "" if most is None else f"at most {most:g}"
    if least == most:
        return f"{least:g}"
    return f"at least {least:g}" if most is None else f"{least:g} to {most:g}"
