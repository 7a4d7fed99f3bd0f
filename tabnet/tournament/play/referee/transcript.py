"""The latest bytes between a player and the referee, for the log of a game that went wrong.

They are kept as they came: the transcript of a normal game is never read.
"""

from __future__ import annotations

import time
from collections import deque

from tabnet.errors import shorten
from tabnet.server.net.shared_reader import Take
from tabnet.server.net.transport import Transport
from tabnet.tournament.play.referee.cpu_meter import CpuMeter

MOST_BYTES = 256 * 1024
"""The size of a transcript; older bytes are dropped."""
RECEIVED, SENT = ">", "<"


class Transcript:
    """The last bytes in both directions, with their times."""

    def __init__(self) -> None:
        self._pieces: deque[tuple[float, str, bytes]] = deque()
        self._size = 0
        self._has_forgotten = False

    def clear(self) -> None:
        """Forget everything: another game begins."""
        self._pieces.clear()
        self._size, self._has_forgotten = 0, False

    def add(self, direction: str, data: bytes) -> None:
        self._pieces.append((time.time(), direction, data))
        self._size += len(data)
        while self._size > MOST_BYTES:
            self._size -= len(self._pieces.popleft()[2])
            self._has_forgotten = True

    @property
    def last_line(self) -> str:
        """The player's last line, shortened for a quotation; empty if there is none."""
        for _, direction, data in reversed(self._pieces):
            if direction == RECEIVED and data.strip():
                return shorten(data.strip().splitlines()[-1].decode("utf-8", errors="replace"))
        return ""

    def __str__(self) -> str:
        lines = ["[what was said before is forgotten]"] if self._has_forgotten else []
        for at, direction, data in self._pieces:
            text = data.decode("utf-8", errors="replace")
            lines += (f"{_format_time(at)} {direction} {line}" for line in text.splitlines())
        return "\n".join(lines)


def _format_time(at: float) -> str:
    """Return the time of day, to the millisecond."""
    return f"{time.strftime('%H:%M:%S', time.localtime(at))}.{int(at % 1 * 1000):03}"


class RecordedTransport:
    def __init__(self, transport: Transport, transcript: Transcript, cpu_meter: CpuMeter) -> None:
        self._transport, self._transcript, self._cpu_meter = transport, transcript, cpu_meter
        self.wait_writable = transport.wait_writable
        self.close = transport.close

    async def receive(self, take: Take | None = None) -> bytes:
        """Return the next bytes that `take` leaves; empty at the end."""

        def record_and_take(data: bytes) -> bool:
            self._cpu_meter.note_received()
            self._transcript.add(RECEIVED, data)
            return take is not None and take(data)

        data = await self._transport.receive(record_and_take)
        if not data:
            self._cpu_meter.note_received()
        return data

    def send(self, data: bytes | memoryview) -> int:
        """Send as much as the socket takes; return the number of bytes."""
        self._cpu_meter.note_sent()
        sent = self._transport.send(data)
        self._transcript.add(SENT, bytes(data[:sent]))
        return sent
