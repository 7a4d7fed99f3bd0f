"""Logs on stderr, for people or as JSON, written by a thread: a stalled stderr blocks no game.

Warnings and exceptions that Python itself would write to stderr become records as well.
"""

from __future__ import annotations

import json
import logging
import queue
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler
from typing import Any

from tabnet.errors import TabnetError

KEPT = 10_000
"""The number of lines that wait for a stalled stderr; further lines are dropped."""
LAST_S = 0.3
"""The time limit for writing the last lines at the end."""


PLAIN_VALUE = re.compile(r"[^\s\"'=,\\]+")
"""A value that needs no quotes."""

log = logging.getLogger("tabnet")


class Human(logging.Formatter):
    """One readable line: time, level, event, and the fields as name=value.

    A value with spaces, quotes or unprintable characters is quoted as in JSON, and the lines of a
    traceback are indented, so that no value looks like a field or a line of its own.
    """

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).strftime("%H:%M:%S.%f")[:-3]
        fields = "".join(
            f" {name}={_format_value(value)}" for name, value in _get_fields(record).items()
        )
        line = (
            f"{time} {record.levelname.lower():7} {escape_unprintable(record.getMessage())}{fields}"
        )
        traceback = (record.exc_text or "").split("\n") if record.exc_text else []
        return "\n".join([line, *(f"    {escape_unprintable(text)}" for text in traceback)])


class Json(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **_get_fields(record),
        }
        if record.exc_text:
            line["exception"] = record.exc_text
        return json.dumps(line, default=str)


FORMATS: dict[str, logging.Formatter] = {"human": Human(), "json": Json()}


def _get_fields(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = getattr(record, "fields", {})
    return fields


def _format_value(value: Any) -> str:
    """Return a field's value, its parts quoted where they have to be."""
    if isinstance(value, list):
        return ",".join(map(_format_value, value))
    text = str(value)
    if PLAIN_VALUE.fullmatch(text) and text.isprintable():
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


def escape_unprintable(text: str) -> str:
    """Return the text with unprintable characters as escapes, so that it stays one line."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


class Queued(QueueHandler):
    """Formats here, writes in another thread, and drops lines if the queue is full."""

    def prepare(self, record: logging.LogRecord) -> str:
        """Return the finished line, so that the thread only writes."""
        if record.exc_info:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        return self.format(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Ignore a full queue."""


@contextmanager
def logging_to_stderr(style: str, level: str) -> Iterator[None]:
    lines: queue.Queue[str | None] = queue.Queue(KEPT)
    writer = threading.Thread(target=_write_lines, args=(lines,), daemon=True)
    handler = Queued(lines)
    handler.setFormatter(FORMATS[style])
    loggers = [log, logging.getLogger()]
    before = log.level, log.propagate
    log.setLevel(level.upper())
    log.propagate = False
    for logger in loggers:
        logger.addHandler(handler)
    writer.start()
    try:
        with _log_unraised_exceptions():
            yield
    finally:
        log.setLevel(before[0])
        log.propagate = before[1]
        for logger in loggers:
            logger.removeHandler(handler)
        try:
            lines.put_nowait(None)
            writer.join(LAST_S)
        except queue.Full:
            pass  # nobody reads stderr: there is nobody to wait for


@contextmanager
def _log_unraised_exceptions() -> Iterator[None]:
    """Log warnings, and exceptions that Python can raise to nobody, while the block runs."""
    unraisable, thread = sys.unraisablehook, threading.excepthook

    def log_unraisable_exception(error: sys.UnraisableHookArgs) -> None:
        fields = {"in": repr(error.object)}
        log.error("exception ignored", exc_info=error.exc_value, extra={"fields": fields})

    def log_thread_exception(error: threading.ExceptHookArgs) -> None:
        fields = {"thread": error.thread and error.thread.name}
        log.error("thread failed", exc_info=error.exc_value, extra={"fields": fields})

    sys.unraisablehook, threading.excepthook = log_unraisable_exception, log_thread_exception
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        sys.unraisablehook, threading.excepthook = unraisable, thread


def log_failure(run: Callable[[], int]) -> int:
    """Run a program, log why it cannot start or go on, and return the exit code."""
    try:
        return run()
    except TabnetError as error:
        fields = {"error": error.text} | ({"hint": error.hint} if error.hint else {})
        log.error("stopped", extra={"fields": fields})
    except BrokenPipeError:
        raise
    except Exception:
        log.critical("stopped", exc_info=True)
    return 1


def _write_lines(lines: queue.Queue[str | None]) -> None:
    while (line := lines.get()) is not None:
        try:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            return  # stderr is closed
