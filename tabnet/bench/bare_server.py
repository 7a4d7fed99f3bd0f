"""The yardstick: a trio server that sends the same lines over the same sockets, without a game.

It replays a recorded game: it answers every command as a real server would, with the same fields,
and pushes the recorded updates or turns to the players. Lines are read and written with orjson;
each connection has a bounded outbox and a task that empties it. The difference to a real server is
the cost of the game, its rules and the strict codec.

It runs in its own process: `python -m tabnet.bench.bare_server --data DIR`.
"""

from __future__ import annotations

import argparse
import random
import ssl
import sys
from collections import deque
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import trio
from attrs import define, field
from trio.abc import Stream

from tabnet.bench.load_client import allow_many_files
from tabnet.bench.recorded_game import BLUE, RED, RecordedStep, record_random_game
from tabnet.protocol.messages import FEEDS, UPDATES

MOST_QUEUED = 1000


@define(eq=False)
class BareConnection:
    """A connection and its outbox."""

    outbox: deque[bytes] = field(factory=deque)
    wake: trio.Event = field(factory=trio.Event)

    def queue_line(self, line: bytes) -> None:
        if len(self.outbox) < MOST_QUEUED:
            self.outbox.append(line)
            self.wake.set()


@define(eq=False)
class RecordedTable:
    """Two connections that play the recorded game."""

    steps: list[RecordedStep]
    connections: list[BareConnection] = field(factory=list)
    at: int = 0
    joined: int = 0

    def answer_command(self, connection: BareConnection, cmd: str) -> None:
        """Answer a command, and push the next frames if it is an action."""
        if cmd == "join":
            self.join(connection)
        elif cmd == "moves":
            connection.queue_line(orjson.dumps(self.steps[self.at].moves) + b"\n")
        else:
            connection.queue_line(orjson.dumps({"type": "reply", "cmd": cmd}) + b"\n")
            self.at += 1
            self.push_frames()

    def join(self, connection: BareConnection) -> None:
        """Seat the player; the second one starts the game."""
        if connection not in self.connections:
            self.connections.append(connection)
        nick = (BLUE, RED)[self.connections.index(connection)]
        reply = {"type": "reply", "cmd": "join", "game": "0" * 16, "nick": nick, "token": "0" * 32}
        connection.queue_line(orjson.dumps(reply) + b"\n")
        self.joined += 1
        if self.joined == 2:
            self.joined = self.at = 0
            self.push_frames()

    def push_frames(self) -> None:
        """Push the frames of this step, each encoded once for its receivers."""
        for seats, frame in self.steps[self.at].frames:
            line = orjson.dumps(frame) + b"\n"
            for seat in seats:
                self.connections[seat].queue_line(line)


@define
class RecordedTables:
    """The tables of all groups."""

    games: dict[str, list[RecordedStep]]
    """The recorded game, by the feed of its followers."""
    of_groups: dict[int, RecordedTable] = field(factory=dict)

    def find(self, group: int, feed: str) -> RecordedTable:
        """Return the table of a group, where both players have the same feed."""
        if group not in self.of_groups:
            self.of_groups[group] = RecordedTable(self.games[feed])
        return self.of_groups[group]


async def serve_connection(tables: RecordedTables, stream: Stream) -> None:
    connection = BareConnection()
    connection.queue_line(b'{"type":"hello"}\n')
    try:
        async with stream, trio.open_nursery() as nursery:
            nursery.start_soon(send_queued_lines, connection, stream)
            await pass_lines_to_tables(tables, connection, stream)
            nursery.cancel_scope.cancel()
    except* (trio.BrokenResourceError, trio.ClosedResourceError):
        pass  # the load client has closed the connection
    finally:
        tables.of_groups.clear()  # all connections end together


async def pass_lines_to_tables(
    tables: RecordedTables, connection: BareConnection, stream: Stream
) -> None:
    buffer = b""
    table: RecordedTable | None = None
    while data := await stream.receive_some(16384):
        *lines, buffer = (buffer + data).split(b"\n")
        for line in lines:
            command: dict[str, Any] = orjson.loads(line)
            if table is None:
                table = tables.find(command["group"], command.get("feed", UPDATES))
            table.answer_command(connection, command["cmd"])


async def send_queued_lines(connection: BareConnection, stream: Stream) -> None:
    while True:
        while not connection.outbox:
            connection.wake = trio.Event()
            await connection.wake.wait()
        data = b"".join(connection.outbox)
        connection.outbox.clear()
        await stream.send_all(data)


async def serve(data: Path) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(data / "cert.pem", data / "key.pem")
    games = {feed: record_random_game(random.Random(1), feed) for feed in FEEDS}
    handle = partial(serve_connection, RecordedTables(games))
    tcp = await trio.open_tcp_listeners(0, host="127.0.0.1")
    bare_tls = await trio.open_tcp_listeners(0, host="127.0.0.1")
    tls = [trio.SSLListener(listener, context) for listener in bare_tls]
    for name, listener in (("tls", bare_tls[0]), ("tcp", tcp[0])):
        sys.stdout.write(f"listening {name} 127.0.0.1:{listener.socket.getsockname()[1]}\n")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await trio.serve_listeners(handle, [*tcp, *tls])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    allow_many_files()
    trio.run(serve, parser.parse_args().data)


if __name__ == "__main__":
    main()
