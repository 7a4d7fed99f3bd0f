"""The output of a process, and the words for its end."""

from __future__ import annotations

import signal
from collections.abc import Callable

FIRST_BYTES = 32 * 1024
LAST_BYTES = 32 * 1024
"""The bytes of the output that are kept at its end; the middle is left out."""
LONGEST_LINE = 500
"""The longest quotation of a line."""
OWN_PREFIX = "tabnet: "
LAST_WORDS_S = 0.5
"""The time for the output of a process to arrive after its end."""


class ProcessOutput:
    """The beginning and the end of a process's output."""

    def __init__(self, translate: Callable[[str], str] = str) -> None:
        """Create an empty output; `translate` returns a text with the user's own file names."""
        self._translate = translate
        self._first = bytearray()
        self._last = bytearray()
        self._left_out = 0

    def add(self, data: bytes) -> None:
        room = FIRST_BYTES - len(self._first)
        self._first += data[:room]
        self._last += data[room:]
        surplus = max(0, len(self._last) - LAST_BYTES)
        del self._last[:surplus]
        self._left_out += surplus

    def __str__(self) -> str:
        left_out = f"\n[{self._left_out} bytes are left out]\n" if self._left_out else ""
        text = _decode(self._first) + left_out + _decode(self._last)
        return self._translate(text)

    @property
    def last_line(self) -> str:
        """The last line, without the mark of an error that the loop of bot files reports."""
        lines = (_decode(self._last) or _decode(self._first)).strip().splitlines()
        last = self._translate(lines[-1].strip())[:LONGEST_LINE] if lines else ""
        return last.removeprefix(OWN_PREFIX)


def _decode(data: bytearray) -> str:
    return data.decode("utf-8", errors="replace")


def describe_exit(code: int) -> str:
    """Return how a process ended: `exit code 1`, `killed by SIGSEGV`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
