"""Anything at all sent to the web door: every answer is HTTP, and everybody else is served."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import trio

from tabnet.dialects.web.responses import OWN_STATUS
from tabnet.dialects.web.routes import API
from tabnet.protocol.messages import COMMANDS
from tabnet.server.core.costs.limits import Limits
from tests.fuzz.lines import mutated
from tests.harness import Server, running

AT_ONCE = 20
STATUSES = {
    *(100, 200, 204, 304, 400, 401, 403, 404, 405, 408, 413, 421, 429, 431, 501),
    *OWN_STATUS.values(),
}
HEAD = re.compile(rb"HTTP/1\.1 (\d{3}) [A-Za-z ]*\r\n((?:[A-Za-z-]+: [\x20-\x7e]*\r\n)*)\r\n")
EVENT = re.compile(rb"(?::|(?:id: \d+\n)?data: (.*))\n\n")
PLAYERS = [{"nick": nick, "password": nick} for nick in ("zp", "jpleal")]


async def fuzz_web(seed: int, connections: int) -> dict[int, int]:
    """Send random requests over this many connections; return the count of each status."""
    luck, seen = random.Random(seed), dict[int, int]()
    limits = Limits(per_address=10_000, games_per_nick=1_000)
    async with running(f"web {seed}", limits) as server:
        server.hub._passwords._digest = lambda password, salt: salt + password.encode()
        games = [await begun(server, luck.randrange(1, 9)) for _ in range(3)]
        for _ in range(connections // AT_ONCE):
            with trio.fail_after(10):
                async with trio.open_nursery() as nursery:
                    for _ in range(AT_ONCE):
                        nursery.start_soon(one, server, random.Random(luck.random()), games, seen)
        talker = await server.connect()
        assert await talker.ask(cmd="ping") == {"type": "reply", "cmd": "ping"}
    return seen


async def begun(server: Server, group: int) -> str:
    """Start a game of both players over the plain port; return its id."""
    for player in PLAYERS:
        talker = await server.connect()
        await talker.ask(cmd="register", **player)
        game: str = (await talker.ask(cmd="join", group=group, size=7))["game"]
    return game


async def one(server: Server, luck: random.Random, games: list[str], seen: dict[int, int]) -> None:
    """Send requests in pieces, disconnect in a random way, and check the responses."""
    sent = b"".join(something(luck, games) for _ in range(luck.randrange(1, 4)))
    received = bytearray()
    async with await trio.open_tcp_stream(*server.http) as stream:
        try:
            while sent:
                size = luck.choice([1, 7, 100, 100_000])
                await stream.send_all(sent[:size])
                sent = sent[size:]
                await trio.lowlevel.checkpoint()
            if luck.random() < 0.1:
                return
            await stream.send_eof()
            while data := await stream.receive_some():
                received += data
        except trio.BrokenResourceError:
            pass
    check(bytes(received), seen)


def something(luck: random.Random, games: list[str]) -> bytes:
    """A request, as it should be or nearly, or nothing like one."""
    kind = luck.random()
    if kind < 0.1:
        return luck.randbytes(luck.randrange(300))
    text = request(luck, games)
    return text if kind < 0.5 else mutated(text, luck.getrandbits(32))


def request(luck: random.Random, games: list[str]) -> bytes:
    """Any request as it should be."""
    path = luck.choice([*API, "/v1", "/v1", "/", "/nothing"])
    player, game = luck.choice(PLAYERS), luck.choice(games)
    fields: dict[str, Any] = {**player, "game": game, "group": luck.randrange(1, 4), "size": 7}
    fields["cell"] = luck.randrange(-1, 29)
    method = "POST"
    if path == "/v1":
        command = luck.choice(list(COMMANDS.values()))
        fields = {**command.example, **({"game": game} if "game" in command.example else {})}
    elif path not in API or "GET" in API[path].methods:
        method, path = "GET", f"{path}?nick={player['nick']}&game={game}&since=0"
    method = luck.choices([method, "OPTIONS", "PUT"], [20, 1, 1])[0]
    body = json.dumps(fields).encode() if method == "POST" else b""
    headers = luck.choice(["", "Connection: close\r\n", "Last-Event-ID: 1\r\n", "Origin: null\r\n"])
    headers += f"Host: localhost\r\nContent-Length: {len(body)}\r\n"
    head = f"{method} {path} HTTP/1.1\r\n{headers}\r\n"
    return head.encode() + body


def check(received: bytes, seen: dict[int, int]) -> None:
    """Check that the bytes are HTTP responses one after the other; the last one may be a stream or
    incomplete.
    """
    while received:
        head = HEAD.match(received)
        assert head, received[:200]
        status, headers = int(head[1]), head[2]
        assert status in STATUSES, status
        seen[status] = seen.get(status, 0) + 1
        received = received[head.end() :]
        if b"text/event-stream" in headers:
            check_events(received)
            return
        length = re.search(rb"Content-Length: (\d+)", headers)
        assert (length is None) == (status in (100, 204, 304))
        if length is not None:
            body, received = received[: int(length[1])], received[int(length[1]) :]
            assert len(body) == int(length[1])
            if b"application/json" in headers:
                assert ("error" in json.loads(body)) == (status != 200)


def check_events(received: bytes) -> None:
    """Whole events, one after the other."""
    while received:
        event = EVENT.match(received)
        assert event, received[:200]
        if event[1]:
            json.loads(event[1])
        received = received[event.end() :]
