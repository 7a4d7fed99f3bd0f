"""The messages between a runner and its referee processes: pickled dicts of plain values.

{"bot": BotProgram}                                      first, to a referee process: each bot
{"settings": RefereeSettings, "processors": (0,), "folder": "/tmp/tabnet-bots-x", "lease_s": None}
                                                         then the tournament without its bots, and
                                                         the local choices of the process
{"alive": True}                                          a sign that the runner is alive, if the
                                                         process has a lease
{"number": 1, "try": "greedy"}, {"number": 2, "play": ScheduledGame}, {"number": 3, "close": True}
{"number": 1, "failed_start": None}                      the responses
{"number": 2, "played": PlayedGame}, {"number": 3, "cpu": 1.5}
{"number": 2, "failed": "ValueError: ...", "log": "..."} the referee failed in it
{"moves": {"fa93b40c7d21e658": 12}}                      the progress of its games, which is also
                                                         a sign that the referee is alive
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import attrs
from trio.abc import ReceiveStream

from tabnet.tournament.play.referee_interface import RefereeSettings

Message: TypeAlias = dict[str, Any]

LENGTH = struct.Struct("!I")
"""The number of bytes of a message, before the message."""
MAX_BYTES = 64 * 1024 * 1024
"""The longest message: a bot or the transcript of a game may be long."""


def make_setup_messages(
    settings: RefereeSettings,
    processors: tuple[int, ...],
    folder: Path,
    lease_s: float | None,
) -> Iterator[Message]:
    """Yield the first messages to a referee process; none is longer than the files of one bot."""
    for bot in settings.bots:
        yield {"bot": bot}
    without_bots = attrs.evolve(settings, bots=())
    local = {"processors": processors, "folder": str(folder), "lease_s": lease_s}
    yield {"settings": without_bots, **local}


def encode_message(message: Message) -> bytes:
    data = pickle.dumps(message)
    return LENGTH.pack(len(data)) + data


async def decode_messages(stream: ReceiveStream) -> AsyncIterator[Message]:
    """Yield the messages of a stream until its end; raises `ValueError` for anything else."""
    buffer = bytearray()
    async for data in stream:
        buffer += data
        while len(buffer) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(buffer)
            if length > MAX_BYTES:
                raise ValueError(f"a message of {length} bytes is too long")
            end = LENGTH.size + length
            if len(buffer) < end:
                break
            yield _unpickle(bytes(buffer[LENGTH.size : end]))
            del buffer[:end]


def _unpickle(data: bytes) -> Message:
    try:
        message: Message = pickle.loads(data)  # noqa: S301 - from this program's own process
    except Exception as error:
        raise ValueError(f"not a message: {error!r}") from error
    return message
