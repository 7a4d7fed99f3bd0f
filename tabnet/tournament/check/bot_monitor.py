"""Watches the lines between a bot and the server, and notes what the bot does wrong."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable

import trio
from attrs import frozen

from tabnet.protocol import codec
from tabnet.protocol.frames import Failed, Frame, Hello
from tabnet.protocol.line_splitter import Lines
from tabnet.server.net.connection import Encoder
from tabnet.server.net.transport import Transport
from tabnet.tournament.play.referee.match_server import PlayerLines
from tabnet.tournament.play.referee.transcript import RECEIVED, Transcript

GAME_IS_OVER = ("game_over", "which_game")
"""The codes that refuse a move when the game has just ended."""
KEPT_LINES = 100
"""The number of lines of the bot that are kept, to quote the one that is refused."""
MAX_LINE_BYTES = 1024 * 1024
UNKNOWN_FRAME = b'{"type":"weather","turn":"bot","winner":"rain"}\n'


class CheckFailed(Exception):
    """The bot has done something wrong; `line` is the line that it sent, if that was wrong.

    After a failure that `ends_check`, the bot would only fail in the same way again.
    """

    def __init__(self, text: str, line: bytes | None = None, *, ends_check: bool = False) -> None:
        super().__init__(text)
        self.text = text
        self.line = line
        self.ends_check = ends_check


class BotMonitor:
    """Everything that has happened on the bot's connections."""

    def __init__(self, has_ended: Callable[[], bool]) -> None:
        self.failure: CheckFailed | None = None
        """The first refused command."""
        self.line_count = 0
        self.connection_count = 0
        self.may_send = trio.Event()
        """Set while frames for the bot are not held back."""
        self.may_send.set()
        self._has_ended = has_ended
        self._lines: deque[bytes] = deque(maxlen=KEPT_LINES)
        self._news = trio.Event()

    @property
    def last_line(self) -> bytes:
        return self._lines[-1]

    def note_line(self, line: bytes) -> None:
        self.line_count += 1
        self._lines.append(line)
        self.wake_script()

    def note_frame(self, frame: Frame) -> None:
        if isinstance(frame, Hello):
            self.connection_count += 1
        if isinstance(frame, Failed) and self.failure is None:
            self.failure = self._judge(frame)
        self.wake_script()

    def wake_script(self) -> None:
        """Wake the script."""
        self._news.set()

    async def wait_for_news(self, seconds: float) -> bool:
        """Wait until something happens; return False if nothing does for so long."""
        self._news = trio.Event()
        with trio.move_on_after(seconds):
            await self._news.wait()
            return True
        return False

    def _judge(self, refusal: Failed) -> CheckFailed | None:
        """Return the fault that a refusal shows; None if the game was over a moment before."""
        line, command = self.last_line, codec.decode(self.last_line)
        for each in self._lines:
            asked = codec.decode(each)
            if (asked.cmd, asked.id) == (refusal.cmd, refusal.id):
                line, command = each, asked
        if isinstance(command, Failed):
            return CheckFailed(f"this is no command: {refusal.error}", line)
        if self._has_ended() and refusal.code in GAME_IS_OVER:
            return None
        return CheckFailed(f"this was refused: {refusal.error} ({refusal.code})", line)


class MonitoredTranscript(Transcript):
    """A transcript that shows each line of the bot to its monitor."""

    def __init__(self, monitor: BotMonitor) -> None:
        super().__init__()
        self._monitor = monitor
        self._received = Lines(MAX_LINE_BYTES)

    def add(self, direction: str, data: bytes) -> None:
        super().add(direction, data)
        if direction == RECEIVED:
            for line in self._received.feed(data):
                self._monitor.note_line(bytes(line))


class DelayedTransport:
    """A transport that takes nothing while frames for the bot are held back."""

    def __init__(self, transport: Transport, monitor: BotMonitor) -> None:
        self._transport = transport
        self._monitor = monitor
        self.receive = transport.receive
        self.close = transport.close

    def send(self, data: bytes | memoryview) -> int:
        return self._transport.send(data) if self._monitor.may_send.is_set() else 0

    async def wait_writable(self) -> None:
        await self._monitor.may_send.wait()
        await self._transport.wait_writable()


@frozen
class MonitoredLines(PlayerLines):
    """JSON lines that show each frame for the bot to its monitor."""

    monitor: BotMonitor
    is_odd: bool
    """Write frames unusually, with unknown fields and among unknown frames."""

    async def converse(self, transport: Transport, address: str) -> None:
        await super().converse(DelayedTransport(transport, self.monitor), address)

    @property
    def encoder(self) -> Encoder:
        return self._encode

    def _encode(self, frame: Frame) -> bytes:
        self.monitor.note_frame(frame)
        line = codec.encode(frame)
        if not self.is_odd or isinstance(frame, Hello):
            return line
        fields = {"new": {"type": "update"}, **json.loads(line), "later": [None, 1.5]}
        return UNKNOWN_FRAME + json.dumps(fields, separators=(" , ", " : ")).encode() + b"\n"
