"""Two windows that show a game: one redraws the whole terminal, the other prints lines.

`Screen` owns a `Canvas`, reads single keys and redraws what has changed, so that clocks run and
updates arrive while a person types. Therefore it edits the input line itself, without `readline`.
`Printer` is for pipes, NO_COLOR and simple terminals: it prints text and reads lines.
"""

from __future__ import annotations

import os
import sys

import trio
from rich.cells import cell_len
from rich.console import Console

from tabnet.client.safe_text import format_plain_rows
from tabnet.client.terminal.canvas import Canvas, can_draw_canvas, print_lines, stop_program
from tabnet.client.terminal.event_sentences import CHANGING
from tabnet.client.terminal.game_screen import GameScreen
from tabnet.client.terminal.input_parser import complete_line
from tabnet.client.terminal.line_editor import END_OF_INPUT, ENTER, REDRAW, TAB, Line
from tabnet.games.terminal import list_alternatives

PROMPT = " > "


class Screen:
    """The whole terminal; changed rows are redrawn."""

    waits_for_turn = False
    """True if the input was written in advance: each line is read at a turn."""

    def __init__(self, screen: GameScreen) -> None:
        self.screen = screen
        self.typed = Line()
        self._canvas = Canvas()

    def open(self) -> None:
        self._canvas.open()
        self.show()

    def close(self) -> None:
        """Restore the terminal, with the last position left on it."""
        self._canvas.close(self.screen.draw_board_rows(self._canvas.columns, trio.current_time()))

    def suspend(self) -> None:
        self._canvas.suspend()
        self.show()

    def show_board(self) -> None:
        self._canvas.redraw_all_next_time()
        self.show()

    def show(self) -> None:
        """Draw the changed rows, and put the cursor into the input line."""
        columns, lines = self._canvas.fit_to_terminal()
        rows = self.screen.draw_screen_rows(trio.current_time(), columns, lines - 1)
        rows.append(((PROMPT, "bold"), (self.typed.text, "")))
        typed = cell_len(self.typed.text[: self.typed.at])
        self._canvas.draw_rows(rows, len(PROMPT) + typed + 1)

    async def read_line(self) -> str | None:
        """Return the next typed line, or None at the end of the input."""
        while True:
            key = await self._canvas.next_key()
            if key == END_OF_INPUT and not self.typed.text:
                return None
            if key == ENTER:
                return self.typed.take_line()
            if key == REDRAW:
                self.show_board()
            elif key == TAB:
                self._complete_typed_text()
            else:
                self.typed.edit(key)
            self.show()

    def _complete_typed_text(self) -> None:
        text, fitting = complete_line(self.typed.text, self.screen.my_turn)
        if text == self.typed.text:
            self.screen.note = list_alternatives(fitting) if fitting else "nothing begins with that"
        self.typed.replace_text(text)


class Printer:
    """Plain text, line by line."""

    def __init__(self, screen: GameScreen) -> None:
        self.screen = screen
        self.waits_for_turn = not sys.stdin.isatty()
        self._seq = 0
        self._expected = ""
        self._begun = b""

    def open(self) -> None:
        self.show()

    def close(self) -> None:
        """Do nothing: there is nothing to restore."""

    def suspend(self) -> None:
        stop_program()

    def show(self) -> None:
        """Print what happened since the last call."""
        screen = self.screen
        if screen.update is not None and screen.update.seq != self._seq:
            self._seq = screen.update.seq
            print_lines(screen.event_lines[-1])
            if screen.update.position["event"]["type"] in CHANGING or screen.over:
                self.show_board()
            self._expected = ""
        if screen.expected_action not in ("", self._expected) and not screen.over:
            self._expected = screen.expected_action
            print_lines(screen.expected_action)
        if screen.note:
            print_lines(screen.note)
            screen.note = ""

    def show_board(self) -> None:
        rows = self.screen.draw_board_rows(Console().width, trio.current_time())
        print_lines(*format_plain_rows(rows).split("\n"))

    async def read_line(self) -> str | None:
        while b"\n" not in self._begun:
            data = await trio.to_thread.run_sync(_read_stdin, abandon_on_cancel=True)
            if not data:
                last, self._begun = self._begun, b""
                return last.decode(errors="replace") if last else None
            self._begun += data
        line, _, self._begun = self._begun.partition(b"\n")
        return line.decode(errors="replace")


def choose_window(screen: GameScreen) -> Screen | Printer:
    """Return the best window that standard input and output allow."""
    return Screen(screen) if can_draw_canvas() else Printer(screen)


def _read_stdin() -> bytes:
    """Read standard input in a thread, because not every kind of file can be awaited."""
    return os.read(sys.stdin.fileno(), 1024)
