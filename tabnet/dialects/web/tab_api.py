"""The original web API of Tab: its bodies as commands, and replies as it tells them. Pure."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import orjson

from tabnet.dialects.web.responses import Answer, json_answer, status_of
from tabnet.errors import WireError
from tabnet.protocol import codec
from tabnet.protocol.frames import Failed
from tabnet.protocol.messages import Command

PLAYER = ("nick", "password")
FIELDS = {
    "register": PLAYER,
    "join": ("group", *PLAYER, "size"),
    "leave": (*PLAYER, "game"),
    "roll": (*PLAYER, "game"),
    "notify": (*PLAYER, "game", "cell"),
    "pass": (*PLAYER, "game"),
    "ranking": ("group", "size"),
}
"""What each path takes; all else in a body is passed over."""
SAID_BY_SERVICE = ("group", "size")
"""Whose absence the service refuses itself, in the API's own words."""
REPLIED = ("game", "ranking")


def command(cmd: str, body: bytes) -> Command | Failed:
    """The command that a body writes down, or what is wrong with it."""
    try:
        given = {
            name: value for name, value in codec.read_object(body).items() if value is not None
        }
        if cmd == "notify" and "cell" not in given and "move" in given:
            given["cell"] = given["move"]
        for name in FIELDS[cmd]:
            if name not in given and name not in SAID_BY_SERVICE:
                raise WireError("undefined_field", f"undefined {name}", field=name)
        fields = {name: given[name] for name in FIELDS[cmd] if name in given}
        return codec.command_from({"cmd": cmd, **fields})
    except WireError as error:
        return codec.refusal(error, cmd)


def answer(line: bytes) -> Answer:
    """A reply of the protocol, with the fields of the API alone."""
    reply: dict[str, Any] = orjson.loads(line)
    if "error" in reply:
        later = reply.get("retry_after")
        body = {"error": reply["error"]}
        return json_answer(status_of(reply["code"], later), orjson.dumps(body), later)
    told = {name: reply[name] for name in REPLIED if name in reply}
    return json_answer(HTTPStatus.OK, orjson.dumps(told))
