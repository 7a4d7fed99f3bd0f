"""The terminal as two windows onto a table: one drawn over and over, one that prints lines.

`Screen` has the whole terminal, reads single keys and redraws what has changed, so that clocks run
and updates come while somebody types. It edits the line itself: a `readline` that waits in a thread
would share the screen with nobody. `Printer` is for pipes, NO_COLOR and terminals that can do no
better: text goes out, and lines come in.
"""

from __future__ import annotations

import codecs
import os
import signal
import sys
import termios
import tty
from collections import deque
from typing import Protocol

import trio
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tabnet.client.board import Row, plain
from tabnet.client.keys import END_OF_INPUT, ENTER, REDRAW, TAB, Keys, Line
from tabnet.client.table import Table
from tabnet.client.typed import complete, listed

PROMPT = " > "
ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h", "\x1b[?1049l"


class Window(Protocol):
    """What shows a table and reads lines."""

    waits_for_turn: bool
    """Its lines were written in advance: each is read when it is its turn."""

    def open(self) -> None:
        """Begin."""
        ...

    def close(self) -> None:
        """End, with the terminal as it was before."""
        ...

    def suspend(self) -> None:
        """Stop the program as Ctrl-Z does, and go on with it later."""
        ...

    def show(self) -> None:
        """Show what is new."""
        ...

    def show_board(self) -> None:
        """Show everything, new or not."""
        ...

    async def line(self) -> str | None:
        """The next line that is typed; None at the end of the input."""
        ...


def window_on(table: Table) -> Window:
    """The best window that standard input and output can be."""
    console = Console(highlight=False)
    if not (sys.stdin.isatty() and console.is_terminal) or console.is_dumb_terminal:
        return Printer(table)
    return Printer(table) if console.no_color else Screen(table)


class Screen:
    """The whole terminal, redrawn where it has changed."""

    waits_for_turn = False

    def __init__(self, table: Table) -> None:
        self.table = table
        self.typed = Line()
        self._input = sys.stdin.fileno()
        self._modes = termios.tcgetattr(self._input)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._keys = Keys()
        self._pressed: deque[str] = deque()
        self._shown: list[Row] = []
        self._cursor = 0
        self._size = (0, 0)
        self._console = Console(highlight=False)

    def open(self) -> None:
        """Take the terminal."""
        tty.setcbreak(self._input, termios.TCSADRAIN)
        _write(ENTER_SCREEN)
        self.show_board()

    def close(self) -> None:
        """Give the terminal back, with the last position left on it."""
        _write(LEAVE_SCREEN)
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._modes)
        rows = self.table.board(self._console.width, trio.current_time())
        _write("".join(f"{self._rendered(row)}\n" for row in rows))

    def suspend(self) -> None:
        """Stop the program as Ctrl-Z does, and go on with it later."""
        _write(LEAVE_SCREEN)
        modes = termios.tcgetattr(self._input)
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._modes)
        os.kill(os.getpid(), signal.SIGSTOP)
        termios.tcsetattr(self._input, termios.TCSADRAIN, modes)
        _write(ENTER_SCREEN)
        self.show_board()

    def show_board(self) -> None:
        """Draw everything anew."""
        self._size = (0, 0)
        self.show()

    def show(self) -> None:
        """Draw the lines that have changed, and leave the cursor where one types."""
        size = os.get_terminal_size(sys.stdout.fileno())
        if size != self._size:
            self._size, self._shown = size, []
            self._console = Console(highlight=False, width=size.columns, height=size.lines)
            _write("\x1b[2J")
        rows = self.table.rows(trio.current_time(), size.columns, size.lines - 1)
        rows.append(((PROMPT, "bold"), (self.typed.text, "")))
        changed = [
            f"\x1b[{number + 1}H\x1b[K{self._rendered(row)}"
            for number, row in enumerate(rows)
            if number >= len(self._shown) or self._shown[number] != row
        ]
        if changed or len(rows) != len(self._shown):
            changed.append(f"\x1b[{len(rows)}H\x1b[{size.columns}C\x1b[J")
        at = min(size.columns, len(PROMPT) + cell_len(self.typed.text[: self.typed.at]) + 1)
        if changed or at != self._cursor:
            _write(f"{''.join(changed)}\x1b[{len(rows)};{at}H")
        self._shown, self._cursor = rows, at

    def _rendered(self, row: Row) -> str:
        with self._console.capture() as captured:
            line = Text.assemble(*((_clean(text), style) for text, style in row))
            self._console.print(line, end="", no_wrap=True, overflow="crop", crop=True)
        return captured.get()

    async def line(self) -> str | None:
        """The next line that is typed; None after Ctrl-D."""
        while True:
            key = await self._key()
            if key == END_OF_INPUT and not self.typed.text:
                return None
            if key == ENTER:
                return self.typed.take()
            if key == REDRAW:
                self.show_board()
            elif key == TAB:
                self._complete()
            else:
                self.typed.press(key)
            self.show()

    async def _key(self) -> str:
        while not self._pressed:
            await trio.lowlevel.wait_readable(self._input)
            data = os.read(self._input, 1024)
            if not data:
                return END_OF_INPUT
            self._pressed.extend(self._keys.feed(self._decode(data)))
        return self._pressed.popleft()

    def _complete(self) -> None:
        text, fitting = complete(self.typed.text, self.table.my_turn)
        if text == self.typed.text:
            self.table.note = listed(fitting) if fitting else "nothing begins like that"
        self.typed.put(text)


class Printer:
    """Plain text, line by line."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.waits_for_turn = not sys.stdin.isatty()
        self._seq = 0
        self._expected = ""
        self._begun = b""

    def open(self) -> None:
        """Begin."""
        self.show()

    def close(self) -> None:
        """Nothing has to be undone."""

    def suspend(self) -> None:
        """Stop the program as Ctrl-Z does, and go on with it later."""
        os.kill(os.getpid(), signal.SIGSTOP)

    def show(self) -> None:
        """Print what has happened since."""
        table = self.table
        if table.update is not None and table.update.seq != self._seq:
            self._seq = table.update.seq
            say(table.told[-1])
            if table.update.position["event"]["type"] in ("start", "move") or table.over:
                self.show_board()
            self._expected = ""
        if table.expected not in ("", self._expected) and not table.over:
            self._expected = table.expected
            say(table.expected)
        if table.note:
            say(table.note)
            table.note = ""

    def show_board(self) -> None:
        """Print the position."""
        columns = Console().width
        say(plain(self.table.board(columns, trio.current_time())))

    async def line(self) -> str | None:
        """The next line; None at the end of the input."""
        while b"\n" not in self._begun:
            data = await trio.to_thread.run_sync(_read, abandon_on_cancel=True)
            if not data:
                last, self._begun = self._begun, b""
                return last.decode(errors="replace") if last else None
            self._begun += data
        line, _, self._begun = self._begun.partition(b"\n")
        return line.decode(errors="replace")


def _read() -> bytes:
    """Any sort of file can be standard input, and not every sort can be waited for."""
    return os.read(sys.stdin.fileno(), 1024)


def say(text: str) -> None:
    """Print a line, or several."""
    _write(f"{_clean(text)}\n")


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _clean(text: str) -> str:
    """Without what would steer the terminal: texts come from servers, and names from players."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)
