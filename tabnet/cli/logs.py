"""Logs on stderr, for people or as JSON, written by a thread: a stalled stderr stops no game."""

from __future__ import annotations

import json
import logging
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler
from typing import Any

KEPT = 10_000
"""How many lines wait for a stalled stderr before further ones are dropped."""
LAST_S = 0.3
"""How long the last lines may take at the end."""


class Human(logging.Formatter):
    """One readable line: time, level, event, and the fields as name=value."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record."""
        time = datetime.fromtimestamp(record.created, UTC).strftime("%H:%M:%S.%f")[:-3]
        fields = "".join(f" {name}={_plain(value)}" for name, value in _fields(record).items())
        line = f"{time} {record.levelname.lower():7} {record.getMessage()}{fields}"
        return f"{line}\n{record.exc_text}" if record.exc_text else line


class Json(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **_fields(record),
        }
        if record.exc_text:
            line["exception"] = record.exc_text
        return json.dumps(line)


FORMATS: dict[str, logging.Formatter] = {"human": Human(), "json": Json()}


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = getattr(record, "fields", {})
    return fields


def _plain(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


class Queued(QueueHandler):
    """Formats in the program and writes in a thread; when the queue is full, drops the line."""

    def prepare(self, record: logging.LogRecord) -> str:
        """The finished line: the thread has nothing to do but write."""
        if record.exc_info:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        return self.format(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """A full queue is no error of the program."""


@contextmanager
def logging_to_stderr(style: str, level: str) -> Iterator[None]:
    """Write tabnet's logs to stderr while the block runs."""
    lines: queue.Queue[str | None] = queue.Queue(KEPT)
    writer = threading.Thread(target=_write, args=(lines,), daemon=True)
    handler = Queued(lines)
    handler.setFormatter(FORMATS[style])
    logger = logging.getLogger("tabnet")
    logger.setLevel(level.upper())
    logger.propagate = False
    logger.addHandler(handler)
    writer.start()
    try:
        yield
    finally:
        logger.removeHandler(handler)
        try:
            lines.put_nowait(None)
            writer.join(LAST_S)
        except queue.Full:
            pass  # nobody reads stderr: there is nobody to wait for


def _write(lines: queue.Queue[str | None]) -> None:
    while (line := lines.get()) is not None:
        try:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            return  # stderr is closed
