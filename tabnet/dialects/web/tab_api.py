"""The original web API of Tab: commands in bodies, responses, and events of updates. Pure."""

from __future__ import annotations

from http import HTTPStatus

import orjson

from tabnet.dialects.web.responses import Response, find_status, make_json_response
from tabnet.errors import WireError
from tabnet.protocol import codec
from tabnet.protocol.frames import Failed, Frame, Reply, Snapshot
from tabnet.protocol.messages import Command

KIND = "tab"
"""The kind of game that the API serves."""
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
"""The fields of each path; others in a body are ignored."""
OF_THE_KIND = ("join", "ranking")
"""The commands that name the kind of game."""
CHECKED_BY_SERVICE = ("group", "size")
"""Fields whose absence the service refuses itself, in the API's own words."""
UPDATE_FIELDS = (
    *("pieces", "initial", "turn", "step", "players", "dice", "mustPass"),
    *("cell", "selected", "winner"),
)
"""The fields of an update."""
REPLIED = ("game", "ranking")


def read_command(cmd: str, body: bytes) -> Command | Failed:
    """Return the command in a body, or the refusal that says what is wrong with it."""
    try:
        given = {
            name: value for name, value in codec.read_object(body).items() if value is not None
        }
        if cmd == "notify" and "cell" not in given and "move" in given:
            given["cell"] = given["move"]
        for name in FIELDS[cmd]:
            if name not in given and name not in CHECKED_BY_SERVICE:
                raise WireError("undefined_field", f"undefined {name}", field=name)
        fields = {name: given[name] for name in FIELDS[cmd] if name in given}
        if cmd in OF_THE_KIND:
            fields["kind"] = KIND
        return codec.build_command({"cmd": cmd, **fields})
    except WireError as error:
        return codec.make_refusal(error, cmd)


def make_response(reply: Reply) -> Response:
    """Return a reply of the protocol with the fields of the API alone."""
    if isinstance(reply, Failed):
        status = find_status(reply.code, reply.retry_after)
        return make_json_response(status, orjson.dumps({"error": reply.error}), reply.retry_after)
    fields = codec.dump_frame(reply)
    shown = {name: fields[name] for name in REPLIED if name in fields}
    return make_json_response(HTTPStatus.OK, orjson.dumps(shown))


def encode_update(frame: Frame) -> bytes | None:
    """Encode an update with the fields of the original API alone; other frames are not sent."""
    if not isinstance(frame, Snapshot):
        return None
    position = frame.position
    fields = {name: position[name] for name in UPDATE_FIELDS if name in position}
    return b"id: %d\ndata: %b\n\n" % (frame.seq, orjson.dumps(fields))
