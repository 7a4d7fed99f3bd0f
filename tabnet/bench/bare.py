"""The yardstick: a trio server that sends the same lines over the same sockets, without a game.

It plays a recorded game back: to every command it answers what a real server would, with the same
fields, and pushes the recorded updates to both players. Each line is read and each answer written
with orjson, each connection has a bounded outbox and a task that empties it. What a real server
costs beyond this is what its game, its rules and its strictness cost.

It runs in a process of its own: `python -m tabnet.bench.bare --data DIR`.
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

from tabnet.bench.load import allow_many_files
from tabnet.bench.recording import BLUE, RED, Step, recorded

MOST_QUEUED = 1000


@define(eq=False)
class Seat:
    """One connection and what waits to be sent on it."""

    outbox: deque[bytes] = field(factory=deque)
    wake: trio.Event = field(factory=trio.Event)

    def put(self, line: bytes) -> None:
        """Queue a line for the writer."""
        if len(self.outbox) < MOST_QUEUED:
            self.outbox.append(line)
            self.wake.set()


@define(eq=False)
class Table:
    """Two connections that hear the recorded game."""

    steps: list[Step]
    seats: list[Seat] = field(factory=list)
    at: int = 0
    joined: int = 0

    def hear(self, seat: Seat, cmd: str) -> None:
        """Answer a command, and push the next update if it is an action."""
        if cmd == "join":
            self.join(seat)
        elif cmd == "moves":
            seat.put(orjson.dumps(self.steps[self.at].moves) + b"\n")
        else:
            seat.put(orjson.dumps({"type": "reply", "cmd": cmd}) + b"\n")
            self.at += 1
            self.push()

    def join(self, seat: Seat) -> None:
        """Seat the player; the second one starts the game."""
        if seat not in self.seats:
            self.seats.append(seat)
        nick = (BLUE, RED)[self.seats.index(seat)]
        reply = {"type": "reply", "cmd": "join", "game": "0" * 16, "nick": nick, "token": "0" * 32}
        seat.put(orjson.dumps(reply) + b"\n")
        self.joined += 1
        if self.joined == 2:
            self.joined = self.at = 0
            self.push()

    def push(self) -> None:
        """The update of this step, encoded once for both."""
        line = orjson.dumps(self.steps[self.at].update) + b"\n"
        for seat in self.seats:
            seat.put(line)


async def converse(tables: dict[int, Table], steps: list[Step], stream: Stream) -> None:
    """One connection."""
    seat = Seat()
    seat.put(b'{"type":"hello"}\n')
    try:
        async with stream, trio.open_nursery() as nursery:
            nursery.start_soon(write, seat, stream)
            await read(tables, steps, seat, stream)
            nursery.cancel_scope.cancel()
    except* (trio.BrokenResourceError, trio.ClosedResourceError):
        pass  # the load client has seen enough
    finally:
        tables.clear()  # connections come and go all together


async def read(tables: dict[int, Table], steps: list[Step], seat: Seat, stream: Stream) -> None:
    """Hand every line to its table."""
    buffer = b""
    table: Table | None = None
    while data := await stream.receive_some(16384):
        *lines, buffer = (buffer + data).split(b"\n")
        for line in lines:
            command: dict[str, Any] = orjson.loads(line)
            if table is None:
                table = tables.setdefault(command["group"], Table(steps))
            table.hear(seat, command["cmd"])


async def write(seat: Seat, stream: Stream) -> None:
    """Send what is queued."""
    while True:
        while not seat.outbox:
            seat.wake = trio.Event()
            await seat.wake.wait()
        data = b"".join(seat.outbox)
        seat.outbox.clear()
        await stream.send_all(data)


async def serve(data: Path) -> None:
    """Serve until the process is ended."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(data / "cert.pem", data / "key.pem")
    steps, tables = recorded(random.Random(1)), dict[int, Table]()
    handle = partial(converse, tables, steps)
    tcp = await trio.open_tcp_listeners(0, host="127.0.0.1")
    bare_tls = await trio.open_tcp_listeners(0, host="127.0.0.1")
    tls = [trio.SSLListener(listener, context) for listener in bare_tls]
    for name, listener in (("tls", bare_tls[0]), ("tcp", tcp[0])):
        sys.stdout.write(f"listening {name} 127.0.0.1:{listener.socket.getsockname()[1]}\n")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await trio.serve_listeners(handle, [*tcp, *tls])


def main() -> None:
    """Serve as the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    allow_many_files()
    trio.run(serve, parser.parse_args().data)


if __name__ == "__main__":
    main()
