"""`tabnet serve` with Fish in a process of its own, and clients that send their bytes in pieces."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trio
from attrs import Factory, frozen

from tests.cli.processes import Process, serving
from tests.dialects.fish_actions.clients import FishClient

LONGEST_PIECE = 60


class StreamOfPieces:
    """A stream that sends its bytes in pieces of any lengths."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.receive_some, self.close = stream.receive_some, stream.socket.close
        self._stream = stream
        self._luck = random.Random(1)

    async def send_all(self, data: bytes) -> None:
        """Send the bytes."""
        while data:
            size = self._luck.randint(1, LONGEST_PIECE)
            await self._stream.send_all(data[:size])
            data = data[size:]


@frozen
class FishProcess:
    """A server in a process of its own."""

    process: Process
    folder: Path
    _streams: list[StreamOfPieces] = Factory(list)

    async def connect(self) -> FishClient:
        """Return a client that has not signed up."""
        host, _, port = self.process.addresses["fish"].rpartition(":")
        stream = StreamOfPieces(await trio.open_tcp_stream(host, int(port)))
        self._streams.append(stream)
        return FishClient(stream)

    async def join(self, players: int, id: str = "cup") -> list[FishClient]:
        """Return so many players of a game, in the order of signing up."""
        clients = [await self.connect() for _ in range(players)]
        for client in clients:
            assert "user_token" in await client.join(id)
        return clients

    async def reconnect(self, tokens: dict[str, str]) -> list[FishClient]:
        """Return a client for the color and token of each player."""
        clients = [await self.connect() for _ in tokens]
        for client, (color, token) in zip(clients, tokens.items(), strict=True):
            client.color, client.token = color, token
        return clients

    @property
    def native_address(self) -> str:
        """The option `--server` of commands."""
        return f"tcp://{self.process.tcp}"

    def disconnect(self) -> None:
        """Disconnect all clients."""
        for stream in self._streams:
            stream.close()


@contextmanager
def fish_process(folder: Path, *options: str, log_level: str = "warning") -> Iterator[FishProcess]:
    """A server process on free ports; it has nothing to warn of, and is killed in the end."""
    with serving(folder, "--log-level", log_level, *options) as process:
        server = FishProcess(process, folder)
        try:
            yield server
        finally:
            server.disconnect()
    if log_level == "warning":
        assert (folder / "stderr").read_text() == ""
