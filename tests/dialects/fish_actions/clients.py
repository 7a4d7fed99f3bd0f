"""A server with a port for Fish clients, and such clients: plain sockets that know no tabnet."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import trio

from tabnet.dialects.fish_actions.actions import FishSettings
from tabnet.dialects.fish_actions.dialect import FishActions
from tabnet.dialects.json_lines import JsonLines
from tabnet.games.fish import FishOptions
from tabnet.protocol.fields import Clock
from tabnet.server.core.costs.limits import Limits
from tabnet.server.core.matches.terms import Terms
from tabnet.server.net.ports import PortSettings
from tests.harness import Server, running
from tests.polling import TIMEOUT_S

JSON = dict[str, Any]

BOARD = ((1, 2, 3, 0), (3, 2, 1, 1), (1, 1, 2, 2), (2, 3, 1, 0))
"""The fish of a small board, with two holes."""


def fish_terms(seats: int = 2, move_s: float = 120, **options: Any) -> Terms:
    """Return the terms of games on the small board, or with these options."""
    return Terms(
        kind="fish",
        options=FishOptions(**(options or {"board": BOARD})),
        seats=seats,
        clock=Clock(move=move_s),
        group=None,
        strict=True,
    )


class FishClient:
    """A client over a plain socket."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.token: str | None = None
        self.color: str | None = None
        self._buffer = b""

    async def send(self, action: str, **fields: Any) -> None:
        """Send a request, without a newline; with the token, if the client has one."""
        known = {} if self.token is None else {"user_token": self.token}
        await self.stream.send_all(json.dumps({"action": action, **known, **fields}).encode())

    async def receive(self) -> JSON:
        """Return the next response."""
        while b"\n" not in self._buffer:
            data = await self.stream.receive_some(65536)
            assert data, "the server closed the connection"
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        response: JSON = json.loads(line)
        return response

    async def ask(self, action: str, **fields: Any) -> JSON:
        """Send a request and return its response."""
        await self.send(action, **fields)
        return await self.receive()

    async def join(self, id: str | int = "cup") -> JSON:
        """Sign up, and keep the token."""
        response = await self.ask("join_tournament", tournament_id=id, credit_card="0000")
        self.token, self.color = response.get("user_token"), response.get("color")
        return response

    async def place(self, row: Any, col: Any) -> JSON:
        """Place a penguin."""
        return await self.ask("place_penguin", row=row, col=col)

    async def move(self, start: tuple[Any, Any], end: tuple[Any, Any]) -> JSON:
        """Move a penguin."""
        return await self.ask("move_penguin", **route(start, end))

    async def state(self) -> JSON:
        """Return the present STATE."""
        response = await self.ask("get_state")
        state: JSON = response["current_state"]
        return state


def route(start: tuple[Any, Any], end: tuple[Any, Any]) -> JSON:
    """Return the fields of a move."""
    (start_row, start_col), (end_row, end_col) = start, end
    return {
        "start_row": start_row,
        "start_col": start_col,
        "end_row": end_row,
        "end_col": end_col,
    }


@asynccontextmanager
async def fish_server(
    settings: FishSettings | None = None,
    seed: str | None = None,
    limits: Limits | None = None,
    *,
    is_local_only: bool = True,
    timeout_s: float = TIMEOUT_S,
) -> AsyncIterator[Server]:
    """A server with a port of Fish, and Fish on the port of TLS too, for the length of a block."""
    settings = settings or FishSettings(fish_terms())
    dialect = partial(FishActions, settings=settings, is_local_only=is_local_only)
    ports = [
        PortSettings("fish", "127.0.0.1", 0, dialect),
        PortSettings("tls", "127.0.0.1", 0, JsonLines, is_tls=True, plain_dialect=dialect),
    ]
    async with running(seed, limits, more_ports=ports, timeout_s=timeout_s) as server:
        yield server


async def connect(server: Server, port: str = "fish") -> FishClient:
    """Return a client that has not signed up."""
    return FishClient(await server.dial(port))


async def join(server: Server, players: int, id: str | int = "cup") -> list[FishClient]:
    """Return so many players of a game, in the order of signing up."""
    clients = [await connect(server) for _ in range(players)]
    for client in clients:
        await client.join(id)
    return clients


async def next_action(clients: list[FishClient]) -> tuple[FishClient, str, JSON]:
    """Return the client whose turn it is, and the first action that it can do, with its fields."""
    color = (await clients[0].ask("check_turn"))["color"]
    client = next(each for each in clients if each.color == color)
    state = await client.state()
    places = {player["color"]: player["places"] for player in state["players"]}
    if len(places[color]) < 6 - len(places):
        taken = [place for own in places.values() for place in own]
        tiles = (
            {"row": row, "col": col}
            for row, tiles in enumerate(state["board"])
            for col, fish in enumerate(tiles)
            if fish
        )
        return client, "place_penguin", next(tile for tile in tiles if tile not in taken)
    moves = await clients[-1].ask("get_moves_for_color", color=color)
    start, end = moves["reachable_locations"][0].values()
    return client, "move_penguin", route(tuple(start.values()), tuple(end.values()))


async def play_to_the_end(clients: list[FishClient]) -> JSON:
    """Play each player's first action until the game is over; return the last STATE.

    All clients check every action before it is played.
    """
    while not (await clients[0].ask("is_game_over"))["is_game_over"]:
        mover, action, fields = await next_action(clients)
        check = {"place_penguin": "check_placement", "move_penguin": "check_move"}[action]
        for client in clients:
            assert await client.ask(check, **fields) == {"is_valid": client is mover}
        result = await mover.ask(action, **fields)
        assert result == {"result_state": await clients[0].state()}
    return await clients[0].state()
