"""What `help` answers: every command explained from its class."""

from __future__ import annotations

from typing import Any, get_type_hints

import attrs

from tabnet.errors import CODES, Refused, shown
from tabnet.protocol.frames import Guide
from tabnet.protocol.messages import COMMANDS, Command
from tabnet.protocol.strict import describe, kinds_of

SUMMARY = (
    "Type one JSON object per line. Say register or join, then roll, notify and pass when the "
    'updates say it is your turn. {"cmd":"help","about":"join"} explains a command.'
)


def guide(about: str | None) -> Guide:
    """The reply to help, without its id."""
    if about is None:
        commands = {cmd: _summary(command) for cmd, command in COMMANDS.items()}
        example = {"cmd": "help", "about": "join"}
        return Guide(cmd="help", summary=SUMMARY, commands=commands, example=example)
    command = COMMANDS.get(about)
    if command is None:
        raise Refused(
            "unknown_command",
            f"unknown command {shown(about)}",
            field="about",
            hint=f"one of: {' '.join(COMMANDS)}",
        )
    return Guide(
        cmd="help",
        about=about,
        summary=_summary(command),
        fields=fields_of(command),
        errors={code: CODES[code] for code in command.errors},
        example=command.example,
    )


def _summary(command: type[Command]) -> str:
    return (command.__doc__ or "").strip()


def fields_of(command: type[Command]) -> dict[str, Any]:
    """Each field of a command: its type, whether it is required, what it means."""
    hints = get_type_hints(command)
    return {
        attribute.name: {
            "type": describe(kinds_of(hints[attribute.name]))
            .removeprefix("an ")
            .removeprefix("a "),
            "required": attribute.default is attrs.NOTHING,
            "means": attribute.metadata["wire"].help,
        }
        for attribute in attrs.fields(command)
    }
