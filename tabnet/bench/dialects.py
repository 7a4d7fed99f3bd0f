"""`tabnet bench dialects`: queries of each dialect beside the native command with the same answer.

A client of the dialect and a native client play one match over the same transport. They send their
queries in turns, one after the other, so that both are measured in the same run.
"""

from __future__ import annotations

import json
import re
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from typing import Any

from attrs import define, frozen

from tabnet.bench.http_load_client import LENGTH, format_request, receive_bytes
from tabnet.bench.load_client import connect_without_blocking
from tabnet.bench.output import Output
from tabnet.bench.server import ServerProcess, make_server_command, read_cpu_seconds, run_server

ROUNDS = 3
"""The number of rounds of each query; the best one counts, because machines are noisy."""

HEADS = ("port", "query", "native", "CPU us", "native us", "ratio")
LINE = "{:9} {:23} {:7} {:>7} {:>10} {:>6}"

FISH = ("--fish-port", "0", "--fish-number", "2")
PORTS = ("--http-port", "0", "--draughts-port", "0", *FISH)

JSON = dict[str, Any]


PUSHED = re.compile(rb'\{"type":"(hello|update|presence|notice)"')
"""The beginning of a native frame that is not a response."""

HTTP = b"HTTP/"


@define(eq=False)
class QueryClient:
    """A client that waits for the response to each request."""

    connection: socket.socket
    received: bytes = b""

    def ask(self, request: bytes) -> bytes:
        """Send a request and return the response: a line, or the body of an HTTP response."""
        self.connection.sendall(request)
        while (response := self._next_response()) is None:
            self.received += receive_bytes(self.connection)
        return response

    def _next_response(self) -> bytes | None:
        if not self.received.startswith(HTTP):
            while b"\n" in self.received:
                line, _, self.received = self.received.partition(b"\n")
                if not PUSHED.match(line):
                    return line
            return None
        start = self.received.find(b"\r\n\r\n") + 4
        head = LENGTH.search(self.received)
        if start < 4 or head is None or len(self.received) < start + int(head[1]):
            return None
        response, self.received = self.received[start:], b""
        return response

    def ask_json(self, request: bytes) -> Any:
        """Send a request and return the response, which must be no error."""
        response = json.loads(self.ask(request))
        if isinstance(response, dict) and not {"error", "error_type"}.isdisjoint(response):
            raise RuntimeError(f"the server refused {request!r}: {response}")
        return response


Connect = Callable[[str], QueryClient]
"""A function that connects a client to the port of a name."""


@frozen
class Query:
    """A query of a dialect, and the native query with the same answer."""

    port: str
    name: str
    client: QueryClient
    request: bytes
    native_name: str
    native_client: QueryClient
    native_request: bytes


def bench(seconds: float, out: Output) -> None:
    """Print the server's CPU time for each query, that of the native query, and the ratio."""
    with tempfile.TemporaryDirectory() as data:
        command = make_server_command(data, *PORTS)
        with run_server("tabnet", data, command) as server, ExitStack() as stack:
            connect = partial(connect_to, server, stack)
            out(LINE.format(*HEADS))
            for query in chain.from_iterable(start(connect) for start in STARTS):
                sides = ((query.client, query.request), (query.native_client, query.native_request))
                rounds = [
                    [measure_query(server, *side, seconds / ROUNDS) for side in sides]
                    for _ in range(ROUNDS)
                ]
                cost, native = map(min, zip(*rounds, strict=True))
                cells = (f"{cost:.1f}", f"{native:.1f}", f"{cost / native:.2f}")
                out(
                    LINE.format(query.port, query.name, query.native_name, *cells),
                    measured="query",
                    port=query.port,
                    query=query.name,
                    native_command=query.native_name,
                    cpu_us=cost,
                    native_cpu_us=native,
                    cpu_ratio=cost / native,
                )


def measure_query(
    server: ServerProcess, client: QueryClient, request: bytes, seconds: float
) -> float:
    """Return the microseconds of the server's CPU for one request."""
    count, start = 0, read_cpu_seconds(server.process.pid)
    while (used := read_cpu_seconds(server.process.pid) - start) < seconds:
        for _ in range(50):
            client.ask(request)
        count += 50
    return used / count * 1e6


def connect_to(server: ServerProcess, stack: ExitStack, port: str) -> QueryClient:
    address = "127.0.0.1", server.ports[port]
    connection = connect_without_blocking(address, tls=port in ("tls", "draughts"))
    stack.enter_context(connection)
    connection.setblocking(True)
    return QueryClient(connection)


def format_line(**fields: Any) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def start_draughts_queries(connect: Connect) -> Iterator[Query]:
    """Start a match of draughts over TLS; return its queries."""
    client, native = connect("draughts"), connect("tls")
    game, _, invite = re.findall(rb"ID=(\S+)", client.ask(b"CREATE\n"))
    join(native, f"{game.decode()}:{invite.decode()}")
    state = format_line(cmd="state")
    yield Query("draughts", "GET_STATE", client, b"GET_STATE\n", "state", native, state)


def start_fish_queries(connect: Connect) -> Iterator[Query]:
    """Start two matches of Fish over plain TCP, a turn of each client; return their queries."""
    client, native, token = start_fish(connect, "red")
    _, waiting, other_token = start_fish(connect, "white")
    mover = connect("fish")
    move = find_first_move(mover, other_token)
    mover.ask_json(format_line(action="move_penguin", user_token=other_token, **move))
    own = waiting.ask_json(format_line(cmd="moves"))["moves"][0]
    move = find_first_move(client, token)
    red, place = {"color": "red"}, {"row": move["start_row"], "col": move["start_col"]}
    for name, fields, native_name, asked, native_fields in (
        ("get_state", {}, "state", native, {}),
        ("check_turn", {}, "state", native, {}),
        ("is_game_over", {}, "state", native, {}),
        ("get_moves_for_color", red, "moves", native, {}),
        ("get_moves_for_location", place, "moves", native, {"from": place}),
        ("check_move", move, "check", waiting, {"command": "notify", **own}),
    ):
        request = format_line(action=name, user_token=token, **fields)
        line = format_line(cmd=native_name, **native_fields)
        yield Query("fish", name, client, request, native_name, asked, line)


def find_first_move(client: QueryClient, token: str) -> JSON:
    """Return the fields of a move that red can make."""
    request = format_line(action="get_moves_for_color", user_token=token, color="red")
    action = client.ask_json(request)["reachable_locations"][0]
    return {f"{end}_{axis}": action[end][axis] for end in action for axis in action[end]}


def start_fish(connect: Connect, id: str) -> tuple[QueryClient, QueryClient, str]:
    """Start a match of a Fish client, who is red, and a native client, and place all penguins."""
    client, native = connect("fish"), connect("tcp")
    request = format_line(action="join_tournament", tournament_id=id, credit_card="")
    token = client.ask_json(request)["user_token"]
    join(native, f"fish:{id}")
    for number in range(8):
        place = {"row": number // 4, "col": number % 4}
        if number % 2:
            native.ask_json(format_line(cmd="notify", place=place))
        else:
            client.ask_json(format_line(action="place_penguin", user_token=token, **place))
    return client, native, token


def start_web_queries(connect: Connect) -> Iterator[Query]:
    """Start a match of Plakoto over HTTP; return its queries."""
    client, native = connect("http"), connect("http")
    seat = json.dumps({"username": "Anna"}).encode()
    client.ask_json(format_request(b"PUT /plakoto/players/W", seat))
    body = {"cmd": "join", "invite": "plakoto:main"}
    joined = native.ask_json(format_request(b"POST /v1", json.dumps(body).encode()))
    state = json.dumps({"cmd": "state", "game": joined["game"]}).encode()
    for path in ("/status/", "/players/", "/board/"):
        request = format_request(b"GET /plakoto" + path.encode())
        native_request = format_request(b"POST /v1", state)
        yield Query("plakoto", f"GET {path}", client, request, "state", native, native_request)


def join(client: QueryClient, invite: str) -> None:
    """Take a seat of a dialect's match with a native client."""
    client.ask_json(format_line(cmd="join", invite=invite))


STARTS = (start_draughts_queries, start_fish_queries, start_web_queries)
