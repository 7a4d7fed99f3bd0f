"""A load client: many games of Tab at once, each action sent as soon as an update allows it.

It searches for the few bytes that it needs instead of parsing JSON, so that it is faster than the
server under load. It runs in its own process: `python -m tabnet.bench.load_client`.
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
COMMAND = re.compile(rb'\{"cmd":[^{}]*\}')
NICK = re.compile(rb'"nick":"([^"]+)"')


@define
class LoadCounts:
    """Counters of commands and actions, and the latency of each update."""

    commands: int = 0
    actions: int = 0
    errors: list[str] = field(factory=list)
    waits: list[float] = field(factory=list)


@define
class LoadGame:
    """Two players who play one game after the other."""

    group: int
    acted: float = 0.0


@define(eq=False)
class LoadPlayer:
    """One connection."""

    socket: socket.socket
    game: LoadGame
    counts: LoadCounts
    rng: random.Random
    selector: selectors.BaseSelector
    buffer: bytes = b""
    my_turn: bytes = b""

    def ask_for_game(self) -> None:
        self.send_command(b'{"cmd":"join","group":%d,"size":9}\n' % self.game.group)

    def send_command(self, line: bytes) -> None:
        """Send a command, which always fits into the socket's buffer."""
        self.counts.commands += 1
        self.socket.send(line)

    def send_action(self, line: bytes) -> None:
        self.counts.actions += 1
        self.game.acted = time.perf_counter()
        self.send_command(line)

    def read_available(self) -> None:
        while True:
            try:
                data = self.socket.recv(65536)
            except (BlockingIOError, ssl.SSLWantReadError):
                return
            if not data:
                raise ConnectionError("the server closed a connection")
            *lines, self.buffer = (self.buffer + data).split(b"\n")
            for line in lines:
                self.on_frame(line)
            if not isinstance(self.socket, ssl.SSLSocket):
                return

    def on_frame(self, line: bytes) -> None:
        if line.startswith(b'{"type":"update"'):
            self.counts.waits.append(time.perf_counter() - self.game.acted)
            self.act_if_my_turn(line)
        elif line.startswith(b'{"type":"reply","cmd":"moves"'):
            self.send_action(b'{"cmd":"notify",' + self.rng.choice(MOVE.findall(line))[1:] + b"\n")
        elif b'"error":' in line:
            self.counts.errors.append(line.decode())
        elif line.startswith(b'{"type":"reply","cmd":"join"'):
            match = NICK.search(line)
            self.my_turn = b'"turn":"' + match[1] if match else b"?"

    def act_if_my_turn(self, line: bytes) -> None:
        if b'"winner":' in line:
            self.ask_for_game()
        elif self.my_turn in line:
            if b'"expects":"notify"' in line:
                self.send_command(b'{"cmd":"moves"}\n')
            elif b'"expects":"roll"' in line:
                self.send_action(b'{"cmd":"roll"}\n')
            else:
                self.send_action(b'{"cmd":"pass"}\n')


@define(eq=False)
class TurnPlayer(LoadPlayer):
    """A player who follows by turns, and sends one of their commands back, as bots do."""

    def ask_for_game(self) -> None:
        self.send_command(b'{"cmd":"join","group":%d,"size":9,"feed":"turns"}\n' % self.game.group)

    def on_frame(self, line: bytes) -> None:
        if line.startswith(b'{"type":"turn"'):
            self.counts.waits.append(time.perf_counter() - self.game.acted)
            moves = COMMAND.findall(line, line.index(b'"moves":'))
            self.send_action(self.rng.choice(moves) + b"\n")
        elif line.startswith(b'{"type":"update"'):
            if b'"winner":' in line:
                self.ask_for_game()
        elif b'"error":' in line:
            self.counts.errors.append(line.decode())


def play_games(
    address: tuple[str, int],
    player_class: type[LoadPlayer],
    *,
    tls: bool,
    games: int,
    seconds: float,
) -> dict[str, object]:
    """Play so many games at once for so many seconds; return the figures without the warm-up."""
    counts = LoadCounts()
    with selectors.DefaultSelector() as selector:
        for group in range(1, games + 1):
            game = LoadGame(group)
            for seat in range(2):
                connection = connect_without_blocking(address, tls=tls)
                rng = random.Random(2 * group + seat)
                player = player_class(connection, game, counts, rng, selector)
                selector.register(connection, selectors.EVENT_READ, player)
                player.ask_for_game()
        serve_players(selector, choose_warm_up_s(seconds))
        counts.waits.clear()
        commands, actions, start = counts.commands, counts.actions, time.perf_counter()
        serve_players(selector, seconds)
        elapsed = time.perf_counter() - start
        for key in list(selector.get_map().values()):
            key.data.socket.close()
    waits = sorted(counts.waits) or [0.0]
    return {
        "commands_per_s": (counts.commands - commands) / elapsed,
        "actions_per_s": (counts.actions - actions) / elapsed,
        "p50_ms": waits[len(waits) // 2] * 1000,
        "p99_ms": waits[len(waits) * 99 // 100] * 1000,
        "commands": counts.commands,
        "cpu_s": measure_cpu_seconds(),
        "errors": counts.errors[:3],
    }


def choose_warm_up_s(seconds: float) -> float:
    """Return the time to play before a measurement of so many seconds."""
    return min(1.0, seconds)


def connect_without_blocking(address: tuple[str, int], *, tls: bool) -> socket.socket:
    connection = socket.create_connection(address)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = context.wrap_socket(connection)
    connection.setblocking(False)
    return connection


def serve_players(selector: selectors.BaseSelector, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        for key, _ in selector.select(left):
            key.data.read_available()


def hold_idle_connections(address: tuple[str, int], *, tls: bool, connections: int) -> None:
    held = [connect_without_blocking(address, tls=tls) for _ in range(connections)]
    for connection in held:
        connection.setblocking(True)
        connection.recv(4096)
    print_ready_and_hold(held)


def print_ready_and_hold(held: list[socket.socket]) -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    for connection in held:
        connection.close()


def allow_many_files() -> None:
    """Raise the limit of open files to the system's maximum."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def measure_cpu_seconds(whose: int = resource.RUSAGE_SELF) -> float:
    """Return the CPU time of this process, or of its ended children."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def main(
    player_class: type[LoadPlayer] = LoadPlayer, hold: Callable[..., None] = hold_idle_connections
) -> None:
    """Play as the command line says, and print the result as one line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--turns", action="store_true", help="follow by turns")
    parser.add_argument("--idle", type=int, help="only hold so many connections")
    args = parser.parse_args()
    allow_many_files()
    address = ("127.0.0.1", args.port)
    if args.idle:
        hold(address, tls=args.tls, connections=args.idle)
        return
    player_class = TurnPlayer if args.turns else player_class
    result = play_games(address, player_class, tls=args.tls, games=args.games, seconds=args.seconds)
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
