"""A load client: many games of Tab at once, each action sent as soon as an update allows it.

It looks for the few bytes it needs instead of reading JSON, so that the server under load is
slower than what loads it. It runs in a process of its own: `python -m tabnet.bench.load`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import selectors
import socket
import ssl
import sys
import time
from collections.abc import Callable

from attrs import define, field

MOVE = re.compile(rb'\{"cell":\d+,"to":\d+\}')
NICK = re.compile(rb'"nick":"([^"]+)"')
WARM_UP_S = 1.0


@define
class Tally:
    """What was done, and how long each update took to come."""

    commands: int = 0
    actions: int = 0
    errors: list[str] = field(factory=list)
    waits: list[float] = field(factory=list)


@define
class Game:
    """Two players who play one game after the other."""

    group: int
    acted: float = 0.0


@define(eq=False)
class Player:
    """One connection."""

    socket: socket.socket
    game: Game
    tally: Tally
    rng: random.Random
    selector: selectors.BaseSelector
    buffer: bytes = b""
    my_turn: bytes = b""

    def join(self) -> None:
        """Ask for the next game."""
        self.say(b'{"cmd":"join","group":%d,"size":9}\n' % self.game.group)

    def say(self, line: bytes) -> None:
        """Send a command: it fits into the socket's buffer."""
        self.tally.commands += 1
        self.socket.send(line)

    def act(self, line: bytes) -> None:
        """Send a command that will cause an update."""
        self.tally.actions += 1
        self.game.acted = time.perf_counter()
        self.say(line)

    def read(self) -> None:
        """Take in what has come, and answer it."""
        while True:
            try:
                data = self.socket.recv(65536)
            except (BlockingIOError, ssl.SSLWantReadError):
                return
            if not data:
                raise ConnectionError("the server closed a connection")
            *lines, self.buffer = (self.buffer + data).split(b"\n")
            for line in lines:
                self.hear(line)
            if not isinstance(self.socket, ssl.SSLSocket):
                return

    def hear(self, line: bytes) -> None:
        """One frame."""
        if line.startswith(b'{"type":"update"'):
            self.tally.waits.append(time.perf_counter() - self.game.acted)
            self.update(line)
        elif line.startswith(b'{"type":"reply","cmd":"moves"'):
            self.act(b'{"cmd":"notify",' + self.rng.choice(MOVE.findall(line))[1:] + b"\n")
        elif b'"error":' in line:
            self.tally.errors.append(line.decode())
        elif line.startswith(b'{"type":"reply","cmd":"join"'):
            match = NICK.search(line)
            self.my_turn = b'"turn":"' + match[1] if match else b"?"

    def update(self, line: bytes) -> None:
        """Act if it is this player's turn."""
        if b'"winner":' in line:
            self.join()
        elif self.my_turn in line:
            if b'"expects":"notify"' in line:
                self.say(b'{"cmd":"moves"}\n')
            elif b'"expects":"roll"' in line:
                self.act(b'{"cmd":"roll"}\n')
            else:
                self.act(b'{"cmd":"pass"}\n')


def play(
    address: tuple[str, int], sort: type[Player], *, tls: bool, games: int, seconds: float
) -> dict[str, object]:
    """Play that many games at once for so long; what was counted after the warm-up."""
    tally = Tally()
    with selectors.DefaultSelector() as selector:
        for group in range(1, games + 1):
            game = Game(group)
            for seat in range(2):
                connection = dial(address, tls=tls)
                luck = random.Random(2 * group + seat)
                player = sort(connection, game, tally, luck, selector)
                selector.register(connection, selectors.EVENT_READ, player)
                player.join()
        run(selector, WARM_UP_S)
        tally.waits.clear()
        commands, actions, start = tally.commands, tally.actions, time.perf_counter()
        run(selector, seconds)
        elapsed = time.perf_counter() - start
        for key in list(selector.get_map().values()):
            key.data.socket.close()
    waits = sorted(tally.waits) or [0.0]
    return {
        "commands_per_s": (tally.commands - commands) / elapsed,
        "actions_per_s": (tally.actions - actions) / elapsed,
        "p50_ms": waits[len(waits) // 2] * 1000,
        "p99_ms": waits[len(waits) * 99 // 100] * 1000,
        "commands": tally.commands,
        "cpu_s": cpu_seconds(),
        "errors": tally.errors[:3],
    }


def dial(address: tuple[str, int], *, tls: bool) -> socket.socket:
    """A connection that never blocks."""
    connection = socket.create_connection(address)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = context.wrap_socket(connection)
    connection.setblocking(False)
    return connection


def run(selector: selectors.BaseSelector, seconds: float) -> None:
    """Serve the players for so long."""
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        for key, _ in selector.select(left):
            key.data.read()


def wait_idle(address: tuple[str, int], *, tls: bool, connections: int) -> None:
    """Open connections that do nothing, say so on stdout, and keep them until stdin ends."""
    held = [dial(address, tls=tls) for _ in range(connections)]
    for connection in held:
        connection.setblocking(True)
        connection.recv(4096)
    keep(held)


def keep(held: list[socket.socket]) -> None:
    """Tell that they are there, and hold them until stdin ends."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    for connection in held:
        connection.close()


def allow_many_files() -> None:
    """Let this process have as many connections as the system lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def cpu_seconds() -> float:
    """What this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(sort: type[Player] = Player, hold: Callable[..., None] = wait_idle) -> None:
    """Play as the command line says; the result is one line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--idle", type=int, help="only hold so many connections")
    args = parser.parse_args()
    allow_many_files()
    address = ("127.0.0.1", args.port)
    if args.idle:
        hold(address, tls=args.tls, connections=args.idle)
        return
    result = play(address, sort, tls=args.tls, games=args.games, seconds=args.seconds)
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
