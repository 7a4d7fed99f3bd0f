"""Requests: the room and the resource of a path, the fields of a body, the token. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from tabnet.dialects.plakoto_rest.board import COLOURS
from tabnet.dialects.web.http_request import HttpRequest
from tabnet.errors import WireError, quote
from tabnet.games.plakoto.board import FIRST, LAST, OFF, THEIRS_OFF
from tabnet.protocol import codec

PREFIX = "plakoto"
MAIN = "main"
"""The room of a path without a room."""
RESOURCES = ("board", "players", "status")
ROOM = re.compile(r"[A-Za-z0-9_-]{1,32}")
NUMBER = re.compile(r"[1-9][0-9]?")
NUMBER_OR_0 = re.compile(r"[0-9]{1,2}")
TOP = 16
"""The highest cell of a point."""
IGNORED_ENDING = ".php"
MAX_NAME = 32
ABSENT_TOKENS = ("", "null", "undefined")
"""The values of X-Token that pages without a token send."""
ILLEGAL_MOVE = "This move is illegal."


@frozen
class RoomPath:
    """A path with a room and a resource."""

    room: str
    resource: str
    """board, piece, players, player or status"""
    x: int = 0
    y: int = 0
    seat: int = 0


def is_own(path: str) -> bool:
    """Return True if a path belongs to this dialect."""
    return path == f"/{PREFIX}" or path.startswith(f"/{PREFIX}/")


def parse_path(text: str) -> RoomPath | None:
    """Return the parts of a path; None if it leads to nothing."""
    segments = [
        segment
        for segment in text.split("/")[2:]
        if segment and not segment.endswith(IGNORED_ENDING)
    ]
    room = MAIN
    if segments and segments[0] not in RESOURCES:
        room = segments.pop(0)
        if not ROOM.fullmatch(room):
            return None
    match segments:
        case ["board" | "players" | "status" as resource]:
            return RoomPath(room, resource)
        case ["players", colour] if colour in COLOURS:
            return RoomPath(room, "player", seat=COLOURS.index(colour))
        case ["board", "piece", x, y] if NUMBER.fullmatch(x) and NUMBER.fullmatch(y):
            if int(x) <= LAST and int(y) <= TOP:
                return RoomPath(room, "piece", int(x), int(y))
    return None


@frozen
class Fields:
    """The fields of a body, and the token of a request; each method may raise `WireError`."""

    body: Mapping[str, Any]
    token: str | None

    @classmethod
    def of(cls, request: HttpRequest) -> Fields:
        """Return the fields of a request; the header X-Token outranks a token in the body."""
        body = _read_object(request.body) if request.body.strip() else {}
        token = request.headers.get("x-token")
        if token is None:
            token = body.get("token")
        if token is not None and type(token) is not str:
            raise _wrong("token", "token is not a string.")
        return cls(body, None if token in ABSENT_TOKENS else token)

    def username(self) -> str:
        """Return the name of a new player."""
        name = self.body.get("username")
        if type(name) is str:
            name = name.strip()
        elif name is not None:
            raise _wrong("username", "username is not a string.")
        if not name:
            raise _wrong("username", "No username given.")
        if len(name) > MAX_NAME or not name.isprintable():
            text = f"A username has 1 to {MAX_NAME} printable characters."
            raise _wrong("username", text)
        return name

    def require_colour(self, colour: str) -> None:
        """Refuse a colour that is not the one in the path."""
        for name in ("color", "piece_color"):
            given = self.body.get(name, colour)
            if given not in (colour, None):
                text = f"{name} is {quote(given)}, but the path names player {colour}."
                raise _wrong(name, text)

    def is_bot(self) -> bool:
        """Return True if the player is to be a house bot."""
        is_bot = self.body.get("bot", False)
        if type(is_bot) is not bool:
            raise _wrong("bot", "bot is not true or false.")
        return is_bot

    def destination(self) -> int:
        """Return the point that a checker is to go to; pages send it as a number or a string."""
        to = self.body.get("x")
        if to is None:
            raise _wrong("x", "No x given.")
        if type(to) is str and NUMBER_OR_0.fullmatch(to):
            to = int(to)
        if type(to) is not int or to not in range(THEIRS_OFF, OFF + 1):
            text = f"x is a point from {FIRST} to {LAST}, or {OFF} or {THEIRS_OFF} for off."
            raise _wrong("x", f"{ILLEGAL_MOVE} {text}")
        return to


def _read_object(body: bytes) -> dict[str, Any]:
    try:
        return codec.read_object(body)
    except WireError as error:
        if error.code == "not_object":
            raise WireError(error.code, "the body is not a JSON object") from None
        raise


def _wrong(field: str, text: str) -> WireError:
    return WireError("bad_value", text, field=field)
