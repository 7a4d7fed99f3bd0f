"""A random player that needs nothing but sockets and JSON, to play against in tests.

    python tests/cli/plain_bot.py --kind tab --group 7 --size 9
    python tests/cli/plain_bot.py --kind draughts --group 7

Two of them that ask for the same game play each other.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
from collections.abc import Iterator
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(description="Play one game at random over plain TCP.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=45679)
    parser.add_argument("--join", default='{"group":1,"size":9}', help="the fields of a join")
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    with socket.create_connection((args.host, args.port)) as connection:
        result = play(connection, random.Random(args.seed), **json.loads(args.join))
    print(json.dumps(result))


def play(connection: socket.socket, rng: random.Random, **wanted: Any) -> dict[str, Any]:
    """Join a game and play it to its end; the last update comes back."""
    frames = receive(connection)
    send(connection, cmd="join", **wanted)
    me = ""
    for frame in frames:
        if frame["type"] == "reply" and "error" in frame:
            raise SystemExit(f"{frame['cmd']}: {frame['error']}")
        if frame["type"] == "reply" and frame["cmd"] == "join":
            me = frame["nick"]
        elif frame["type"] == "reply" and frame["cmd"] == "moves":
            send(connection, cmd="notify", **rng.choice(frame["moves"]))
        elif frame["type"] == "update":
            if "winner" in frame:
                return frame
            if frame["turn"] == me and frame["expects"]:
                expected: str = frame["expects"]
                send(connection, cmd="moves" if expected == "notify" else expected)
    raise SystemExit("the server closed the connection")


def send(connection: socket.socket, **command: Any) -> None:
    """One command, one line."""
    connection.sendall(json.dumps(command).encode() + b"\n")


def receive(connection: socket.socket) -> Iterator[dict[str, Any]]:
    """Yield the server's frames."""
    with connection.makefile("rb") as lines:
        for line in lines:
            yield json.loads(line)


if __name__ == "__main__":
    main()
