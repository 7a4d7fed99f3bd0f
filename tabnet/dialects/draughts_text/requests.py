"""The requests of draughts in text lines: bytes become checked words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import define, field, frozen

from tabnet.errors import WireError
from tabnet.protocol.line_splitter import Lines

LINE_BYTES = 1024
"""The longest line, without its end."""
LINE_ENDS = re.compile(rb"[\r\n]+")
"""The ends of lines; empty lines cost next to nothing, because they are skipped together."""

CREATE, JOIN, QUIT = "CREATE", "JOIN", "QUIT"
GET_STATE, MOVE, LEAVE = "GET_STATE", "MOVE", "LEAVE"
REQUEST_A_DRAW, CANCEL_DRAW_REQUEST = "REQUEST_A_DRAW", "CANCEL_DRAW_REQUEST"

ANY = range(LINE_BYTES)
OUTSIDE = {CREATE: range(2), JOIN: range(2, 3), QUIT: range(1)}
"""The requests of a client that is in no room, and the numbers of arguments that they take."""
INSIDE = {
    GET_STATE: range(1),
    MOVE: ANY,  # the rules of the game refuse a wrong route
    LEAVE: range(1),
    REQUEST_A_DRAW: range(1),
    CANCEL_DRAW_REQUEST: range(1),
    QUIT: range(1),
}
"""The same for a client that is in a room."""
ARGUMENTS = {
    CREATE: "CREATE takes one argument at most: the name of a house bot",
    JOIN: "JOIN takes the id of the room and the id of the colour",
}

LEAVE_FIRST = "please leave the room first"
ENTER_FIRST = "please join or create room"

UUID_FORM = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@frozen
class TextRequest:
    """A request that its sender may make now."""

    name: str
    arguments: tuple[str, ...] = ()


@define
class TextLines:
    """Collects bytes and returns whole lines, which end with LF, CR or CRLF."""

    _lines: Lines = field(factory=lambda: Lines(LINE_BYTES + 1), init=False)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the complete lines that are not empty; raise `WireError` for one too long."""
        try:
            for line in self._lines.feed(LINE_ENDS.sub(b"\n", data)):
                if line.strip(b" "):
                    yield line
        except WireError:
            raise _make_error(f"a line has at most {LINE_BYTES} bytes") from None


def read_request(line: bytes, *, in_room: bool) -> TextRequest:
    """Return the request on a line that is not empty; raise `WireError` if it may not be made."""
    name, *arguments = filter(None, line.decode("ascii", "backslashreplace").split(" "))
    allowed = INSIDE if in_room else OUTSIDE
    if name not in INSIDE | OUTSIDE:
        raise _make_error(f"the requests here are {', '.join(allowed)}")
    if name not in allowed:
        raise _make_error(LEAVE_FIRST if in_room else ENTER_FIRST)
    if len(arguments) not in allowed[name]:
        raise _make_error(ARGUMENTS.get(name, f"{name} takes no arguments"))
    if name == JOIN and not all(UUID_FORM.fullmatch(id) for id in arguments):
        raise _make_error("an id is a UUID, like 550e8400-e29b-41d4-a716-446655440000")
    return TextRequest(name, tuple(arguments))


def _make_error(reason: str) -> WireError:
    return WireError("unknown_command", reason)
