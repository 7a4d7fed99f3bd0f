"""Programs in a pseudo-terminal, and what stands on its screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.cli.processes import TABNET
from tests.polling import TIMEOUT_S

CONTROL = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|([\r\n])|([^\x1b\r\n]+)|\x1b\[[?0-9;]*(?=\x1b)")
"""A part of a program's output: a sequence, the end of a line, or text.

The last alternative is a sequence that a signal has cut off. Like any terminal, skip it.
"""

END_OF_OUTPUT = b"\0"
"""Written to the terminal after the program has ended: nothing of its output comes later."""


class Terminal:
    """A program in a terminal of its own. It understands what the program may write, no more."""

    def __init__(self, process: subprocess.Popen[bytes], master: int, slave: int) -> None:
        self.process = process
        self.raw = ""
        self.lines: list[str] = [""]
        self._unread = ""
        self._ended = False
        self._master = master
        self._slave = slave
        self._row = self._column = 0
        self._main: tuple[list[str], int] = ([""], 0)

    @property
    def text(self) -> str:
        """Return the text on the screen."""
        return "\n".join(line.rstrip() for line in self.lines)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._master, text.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Make the window larger or smaller; the kernel tells the program."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def modes(self) -> list[Any]:
        """How the terminal is set."""
        return termios.tcgetattr(self._slave)[:4]

    def until(self, wanted: str | Callable[[str], Any]) -> str:
        """Read until the screen shows it."""
        deadline = time.monotonic() + TIMEOUT_S
        while not (wanted(self.text) if callable(wanted) else wanted in self.text):
            left = deadline - time.monotonic()
            assert left > 0, f"waited in vain for {wanted}:\n{self.text}"
            assert self._read(left), f"ended without {wanted}:\n{self.text}"
        return self.text

    def end(self) -> int:
        """The exit code, once the program has ended and everything it wrote was read."""
        deadline = time.monotonic() + TIMEOUT_S
        while self.process.poll() is None:  # it cannot end while its output has no room
            assert time.monotonic() < deadline, f"the program does not end:\n{self.text}"
            self._read(0.1)
        # The kernel may still be carrying output when the program has ended, but in order.
        os.write(self._slave, END_OF_OUTPUT)
        while not self._ended:
            assert time.monotonic() < deadline, f"the output does not end:\n{self.text}"
            self._read(1)
        return self.process.returncode

    def _read(self, patience: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], min(patience, 0.5))
        if not ready:
            return self.process.poll() is None
        output = os.read(self._master, 65536)
        self._ended = self._ended or END_OF_OUTPUT in output
        data = output.replace(END_OF_OUTPUT, b"").decode(errors="replace")
        self.raw += data
        self._unread += data
        while match := CONTROL.match(self._unread):
            self._take(*match.groups(default=""))
            self._unread = self._unread[match.end() :]
        return True

    def _take(self, numbers: str, letter: str, end: str, text: str) -> None:
        match letter or end:
            case "h" if numbers == "?1049":
                self._main, self.lines, self._row = (self.lines, self._row), [""], 0
            case "l" if numbers == "?1049":
                self.lines, self._row = self._main
                self._column = 0
            case "H":
                row, _, column = numbers.partition(";")
                self._row, self._column = int(row) - 1, int(column or 1) - 1
            case "K":
                self._put_line(self._line()[: self._column])
            case "J" if numbers == "2":
                self.lines = [""]
            case "J":
                del self.lines[self._row + 1 :]
            case "\n":
                self._row += 1
            case "\r":
                self._column = 0
            case "":
                line = self._line().ljust(self._column)
                self._put_line(line[: self._column] + text + line[self._column + len(text) :])
                self._column += len(text)

    def _line(self) -> str:
        self.lines += [""] * (self._row + 1 - len(self.lines))
        return self.lines[self._row]

    def _put_line(self, text: str) -> None:
        self._line()
        self.lines[self._row] = text


@contextmanager
def terminal(
    *arguments: object, columns: int = 90, rows: int = 30, **env: str
) -> Iterator[Terminal]:
    """`tabnet` in a terminal; it is killed at the end, if it still runs."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    process = subprocess.Popen(
        [TABNET, *map(str, arguments)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=_take_terminal,  # noqa: PLW1509 - it calls nothing but the kernel
        env={**kept, "TERM": "xterm-256color", **env},
    )
    try:
        yield Terminal(process, master, slave)
    finally:
        process.kill()
        process.wait(TIMEOUT_S)
        os.close(master)
        os.close(slave)


def _take_terminal() -> None:
    """Make standard input the terminal whose Ctrl-C is this process's."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


UNWANTED = ("NO_COLOR", "COLUMNS", "LINES", "COLORTERM")
"""Environment variables that a fresh terminal does not have."""
