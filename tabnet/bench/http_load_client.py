"""The load client over HTTP: a player sends requests on one connection, and follows on another.

It runs in its own process: `python -m tabnet.bench.http_load_client`.
"""

from __future__ import annotations

import re
import selectors
import socket

from attrs import define

from tabnet.bench.load_client import (
    LoadPlayer,
    connect_without_blocking,
    main,
    print_ready_and_hold,
)

GAME = re.compile(rb'"game":"([0-9a-f]+)"')
TOKEN = re.compile(rb'"token":"[0-9a-f]+"')
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)\r\n")


@define(eq=False)
class WebPlayer(LoadPlayer):
    """Sends commands as requests, and reads frames from responses and from the stream of a game."""

    token: bytes = b""

    def ask_for_game(self) -> None:
        self.token = b""
        super().ask_for_game()

    def send_command(self, line: bytes) -> None:
        body = line.rstrip()[:-1] + self.token + b"}"
        super().send_command(format_request(b"POST /v1", body))

    def read_available(self) -> None:
        self.buffer += receive_bytes(self.socket)
        while (head := LENGTH.search(self.buffer)) is not None:
            start = self.buffer.find(b"\r\n\r\n", head.end() - 2) + 4
            end = start + int(head[1])
            if start < 4 or len(self.buffer) < end:
                return
            body, self.buffer = self.buffer[start:end], self.buffer[end:]
            self.on_frame(body)

    def on_frame(self, line: bytes) -> None:
        """Process one frame; after the reply to `join`, open the stream of the game."""
        super().on_frame(line)
        if line.startswith(b'{"type":"reply","cmd":"join"'):
            game, token = GAME.search(line), TOKEN.search(line)
            if game and token:
                self.token = b"," + token[0]
                connection = connect_without_blocking(self.socket.getpeername(), tls=False)
                stream = UpdateStream(connection, self)
                self.selector.register(stream.socket, selectors.EVENT_READ, stream)
                stream.socket.send(format_request(b"GET /v1/updates?since=0&game=" + game[1]))


@define(eq=False)
class UpdateStream:
    """The events of one game."""

    socket: socket.socket
    player: WebPlayer
    buffer: bytes = b""

    def read_available(self) -> None:
        *lines, self.buffer = (self.buffer + receive_bytes(self.socket)).split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                self.player.on_frame(line[6:])
                if b'"winner":' in line:
                    self.player.selector.unregister(self.socket)
                    self.socket.close()


def format_request(line: bytes, body: bytes = b"") -> bytes:
    head = b"%b HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (line, len(body))
    return head + body


def receive_bytes(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise ConnectionError("the server closed a connection")
    return data


def hold_idle_streams(address: tuple[str, int], *, tls: bool, connections: int) -> None:
    """Hold so many streams of a game that waits for an opponent."""
    asked = connect_without_blocking(address, tls=tls)
    asked.setblocking(True)
    asked.send(format_request(b"POST /v1", b'{"cmd":"join","group":1,"size":9,"private":true}'))
    game = GAME.search(receive_bytes(asked))
    if game is None:
        raise RuntimeError("there is no game to follow")
    held = [connect_without_blocking(address, tls=tls) for _ in range(connections)]
    for stream in held:
        stream.setblocking(True)
        stream.send(format_request(b"GET /v1/updates?game=" + game[1]))
        receive_bytes(stream)
    print_ready_and_hold(held)


if __name__ == "__main__":
    main(WebPlayer, hold_idle_streams)
