"""The terminal as a canvas: it redraws changed rows and reads single keys."""

from __future__ import annotations

import codecs
import os
import signal
import sys
from collections import deque
from collections.abc import Iterable

import trio
from rich.console import Console
from rich.text import Text

try:
    import termios
    import tty
except ModuleNotFoundError:  # Windows: lines are printed instead
    HAS_TERMINAL_MODES = False
else:
    HAS_TERMINAL_MODES = True

from tabnet.client.safe_text import clean_line, clean_lines
from tabnet.client.terminal.line_editor import END_OF_INPUT, Keys
from tabnet.games.terminal import Row

ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h", "\x1b[?1049l"


def can_draw_canvas() -> bool:
    """Return whether standard input and output are a colour terminal."""
    console = Console(highlight=False)
    able = (
        HAS_TERMINAL_MODES
        and sys.stdin.isatty()
        and console.is_terminal
        and not console.is_dumb_terminal
    )
    return able and not console.no_color


class Canvas:
    """The whole terminal, between `open` and `close`."""

    def __init__(self) -> None:
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
        """Switch to the alternate screen and to single keys."""
        tty.setcbreak(self._input, termios.TCSADRAIN)
        write_to_terminal(ENTER_SCREEN)
        self.redraw_all_next_time()

    def close(self, last: Iterable[Row] = ()) -> None:
        """Restore the terminal, and print `last` on it."""
        write_to_terminal(LEAVE_SCREEN)
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._modes)
        write_to_terminal("".join(f"{self._render_row(row)}\n" for row in last))

    def suspend(self) -> None:
        """Stop the program as Ctrl-Z does, and take the terminal again when it continues."""
        self.close()
        stop_program()
        self.open()

    def redraw_all_next_time(self) -> None:
        self._size = (0, 0)

    @property
    def columns(self) -> int:
        return self._console.width

    def fit_to_terminal(self) -> tuple[int, int]:
        """Adapt to the size of the terminal, and return its columns and rows."""
        size = os.get_terminal_size(sys.stdout.fileno())
        if size != self._size:
            self._size, self._shown = size, []
            self._console = Console(highlight=False, width=size.columns, height=size.lines)
            write_to_terminal("\x1b[2J")
        return size.columns, size.lines

    def draw_rows(self, rows: list[Row], cursor: int) -> None:
        """Draw the changed rows, and put the cursor into that column of the last row."""
        changed = [
            f"\x1b[{number + 1}H\x1b[K{self._render_row(row)}"
            for number, row in enumerate(rows)
            if number >= len(self._shown) or self._shown[number] != row
        ]
        columns = self._size[0]
        if changed or len(rows) != len(self._shown):
            changed.append(f"\x1b[{len(rows)}H\x1b[{columns}C\x1b[J")
        at = min(columns, cursor)
        if changed or at != self._cursor:
            write_to_terminal(f"{''.join(changed)}\x1b[{len(rows)};{at}H")
        self._shown, self._cursor = rows, at

    def _render_row(self, row: Row) -> str:
        with self._console.capture() as captured:
            line = Text.assemble(*((clean_line(text), style) for text, style in row))
            self._console.print(line, end="", no_wrap=True, overflow="crop", crop=True)
        return captured.get()

    async def next_key(self) -> str:
        """Return the next key, or `END_OF_INPUT` when none will come."""
        while not self._pressed:
            await trio.lowlevel.wait_readable(self._input)
            data = os.read(self._input, 1024)
            if not data:
                return END_OF_INPUT
            self._pressed.extend(self._keys.split_keys(self._decode(data)))
        return self._pressed.popleft()


def list_signals(*names: str) -> tuple[signal.Signals, ...]:
    """Return the signals of these names that the system has: Windows has few."""
    return tuple(each for each in signal.Signals if each.name in names)


def stop_program() -> None:
    """Stop as the shell's Ctrl-Z does; only a system with that key gets here."""
    os.kill(os.getpid(), signal.SIGSTOP)


def print_lines(*lines: str) -> None:
    write_to_terminal(f"{clean_lines(lines)}\n")


def write_to_terminal(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
