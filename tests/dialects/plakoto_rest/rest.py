"""A client of Plakoto over REST, and matches of Plakoto without a server."""

from __future__ import annotations

import json
import random
from typing import Any

from attrs import frozen

from tabnet.dialects.plakoto_rest.room_request import CLOCK, terms_with
from tabnet.games.plakoto.board import PlakotoMove
from tabnet.games.plakoto.game import PLAKOTO
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tests.dialects.web.raw import Response, Wire, dial
from tests.harness import Server

TERMS = terms_with(CLOCK)
MOVE_MS = 300_000


# Matches without a server


def new_match(secret: bytes = bytes(32), now: int = 0, *, auto: bool = True) -> Match:
    """Begin a match of Anna, who is White, and Ben."""
    labels = ("Anna", None)
    seats = tuple(
        Seat(nick=f"guest-{number}", ranked=False, auto=auto, label=label)
        for number, label in enumerate(labels)
    )
    return Match.start("G", TERMS, seats, secret, now)


def moves_of(match: Match) -> list[PlakotoMove]:
    """Return the legal moves of the player to act."""
    return [action for action in match.state.actions() if isinstance(action, PlakotoMove)]


def play(match: Match, move: PlakotoMove, now: int = 0) -> Match:
    """Play a move of the player to act."""
    return match.play(match.turn, "notify", PLAKOTO.dump_move(move), now)


def random_match(seed: int) -> list[Match]:
    """Play a random match to its end; return it after each move."""
    luck = random.Random(seed)
    matches = [new_match(luck.randbytes(32))]
    while matches[-1].turn is not None:
        matches.append(play(matches[-1], luck.choice(moves_of(matches[-1]))))
    return matches


# Clients of a server


@frozen
class Client:
    """A client in a room, on one connection, with the token of a seat."""

    wire: Wire
    prefix: str = "/plakoto"
    token: str | None = None

    async def request(self, method: str, path: str, **fields: Any) -> Response:
        """Send a request, with the fields as its body."""
        headers = {} if self.token is None else {"X_Token": self.token}
        body = json.dumps(fields).encode() if fields else None
        return await self.wire.request(method, f"{self.prefix}{path}", body, **headers)

    async def get(self, path: str) -> list[dict[str, Any]]:
        """Return the rows at a path."""
        response = await self.request("GET", path)
        assert response.status == 200, response.body[:300]
        rows: list[dict[str, Any]] = response.json
        return rows

    async def status(self) -> dict[str, Any]:
        """Return the status row."""
        (row,) = await self.get("/status/")
        return row

    async def refused(self, method: str, path: str, status: int = 400, **fields: Any) -> str:
        """Return the text of the error."""
        response = await self.request(method, path, **fields)
        assert response.status == status, response.body[:300]
        assert response.json.keys() == {"errormesg"}
        assert response.headers["access-control-allow-origin"] == "*"
        text: str = response.json["errormesg"]
        return text

    async def sit_down(self, colour: str, username: str, **fields: Any) -> Client:
        """Take a seat; return the client with its token."""
        response = await self.request("PUT", f"/players/{colour}", username=username, **fields)
        assert response.status == 200, response.body[:300]
        (row,) = response.json
        assert (row["username"], row["piece_color"]) == (username, colour)
        return Client(self.wire, self.prefix, row["token"])

    async def move(self, start: int, to: object, **fields: Any) -> list[dict[str, Any]]:
        """Move the top checker of a point; return the cells."""
        top = max(y for x, y, _ in checkers(await self.get("/board/")) if x == start)
        path = f"/board/piece/{start}/{top}"
        response = await self.request("PUT", path, x=to, **fields)
        assert response.status == 200, response.body[:300]
        cells: list[dict[str, Any]] = response.json
        return cells


def checkers(board: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    """Return the place and the id of every checker on a board."""
    return [(cell["x"], cell["y"], cell["piece"]) for cell in board if cell["piece"]]


async def visit(server: Server, room: str = "", source: str | None = None) -> Client:
    """Connect a client; without a room it is in the room main."""
    return Client(await dial(server, source), f"/plakoto/{room}".rstrip("/"))


async def seated(server: Server, room: str = "") -> tuple[Client, Client]:
    """Begin a match; return both players."""
    white = await (await visit(server, room)).sit_down("W", "Anna")
    return white, await (await visit(server, room)).sit_down("B", "Ben")
