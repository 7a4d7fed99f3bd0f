"""A bot that keeps no position: it answers each turn with one of the commands in it, as it stands.

`tabnet bench tournament` starts it as a program: `python scripted_bot.py`.
"""

from __future__ import annotations

import json
import os
import socket

MOVES, CLOCK, NEXT = b'"moves":[', b'],"clock":', b',{"cmd":'


def main() -> None:
    """Play games as the environment says, until the referee hangs up."""
    environ = os.environ
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(environ["TABNET_SOCKET"])
        nick, password = environ["TABNET_NICK"], environ["TABNET_PASSWORD"]
        register = {"cmd": "register", "nick": nick, "password": password}
        join = json.loads(environ["TABNET_JOIN"]) | {"feed": "turns"}
        asks = json.dumps(join).encode() + b"\n"
        connection.sendall(json.dumps(register).encode() + b"\n" + asks)
        answer_turns(connection, asks)


def answer_turns(connection: socket.socket, asks: bytes) -> None:
    """Answer every turn, and ask for the next game at the end of each."""
    received, turns = b"", 0
    while data := connection.recv(65536):
        *lines, received = (received + data).split(b"\n")
        for line in lines:
            if line.startswith(b'{"type":"turn"'):
                turns += 1
                moves = line[line.index(MOVES) + len(MOVES) : line.rindex(CLOCK)].split(NEXT)
                number = turns % len(moves)
                connection.sendall((NEXT[1:] if number else b"") + moves[number] + b"\n")
            elif b'"winner":' in line:
                connection.sendall(asks)


if __name__ == "__main__":
    main()
