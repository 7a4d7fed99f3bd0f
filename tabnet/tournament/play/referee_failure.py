"""Failures of referees, and the errors that the server's code contains and logs."""

from __future__ import annotations

import logging
import traceback
from collections import deque
from collections.abc import Callable

from tabnet.errors import StartError, shorten

MAX_ERRORS = 10
"""The number of logged errors that are kept for the log of a failed game."""


class RefereeFailed(Exception):
    """A referee failed in a game, or ended while it played games. No bot is to blame."""

    def __init__(self, text: str, log: str = "") -> None:
        super().__init__(text)
        self.text = text
        """One sentence, or the exception in one line."""
        self.log = log
        """All known details, like a traceback."""


def wrap_error(error: BaseException, log: str = "") -> Exception:
    """Return the failure that an exception in the referee's code is.

    A `StartError` stays one: it tells the user what to change.
    """
    root = _find_root(error)
    if isinstance(root, RefereeFailed | StartError):
        return root
    details = "".join(traceback.format_exception(error))
    return RefereeFailed(_format_in_one_line(root), f"{details}\n{log}")


def _find_root(error: BaseException) -> BaseException:
    """Return the first exception in a group, or the exception itself."""
    return _find_root(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def _format_in_one_line(error: BaseException) -> str:
    return shorten(" ".join(traceback.format_exception_only(error)[-1].split()))


class ErrorLog(logging.Handler):
    """Keeps the latest errors of a logger, and passes each one on.

    Without a handler, Python would print them in the middle of the tournament's table.
    """

    def __init__(self, on_error: Callable[[logging.LogRecord, str], None]) -> None:
        super().__init__(logging.ERROR)
        self._on_error = on_error
        self._texts: deque[str] = deque(maxlen=MAX_ERRORS)
        self.latest = "the server closed the game after an error"
        """The latest error in one line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an error; `on_error` receives it with its text in one line."""
        self._texts.append(self.format(record))
        error = record.exc_info[1] if record.exc_info else None
        self.latest = record.getMessage() if error is None else _format_in_one_line(error)
        self._on_error(record, self.latest)

    def __str__(self) -> str:
        return "\n".join(self._texts)
