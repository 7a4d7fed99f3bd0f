"""The replay of a match, step by step, forward and back. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define

from tabnet.client.safe_text import clean_line, format_plain_rows
from tabnet.client.terminal.event_sentences import CHANGING
from tabnet.client.terminal.game_screen import REMEMBERED, GameScreen
from tabnet.client.terminal.line_editor import END_OF_INPUT, ENTER
from tabnet.errors import StartError, TabnetError
from tabnet.games.terminal import Row
from tabnet.protocol.frames import Snapshot

NEXT = (ENTER, " ", "\x1b[C", "\x1b[B", "n")
BACK = ("\x1b[D", "\x1b[A", "b", "p")
FIRST = ("\x1b[H", "\x1b[1~", "\x1bOH")
LAST = ("\x1b[F", "\x1b[4~", "\x1bOF")
ERASE = ("\x7f", "\b")
QUIT = ("q", END_OF_INPUT)
HELP = "Enter or → next   b or ← back   a number and Enter goes there   Home   End   q quits"


@define
class Replay:
    """A match, the shown step, and the number that is being typed."""

    updates: Sequence[Snapshot]
    at: int = 0
    typed: str = ""

    def handle_key(self, key: str) -> bool:
        """Apply a key; return False if it ends the replay."""
        if key in QUIT:
            return False
        if key.isdecimal() and key.isascii():
            self.typed = (self.typed + key)[: len(str(len(self.updates)))]
        elif key in ERASE:
            self.typed = self.typed[:-1]
        elif key == ENTER and self.typed:
            self._go_to_step(int(self.typed) - 1)
        elif key in NEXT or key in BACK:
            self._go_to_step(self.at + (1 if key in NEXT else -1))
        elif key in FIRST or key in LAST:
            self._go_to_step(0 if key in FIRST else len(self.updates))
        return True

    def _go_to_step(self, at: int) -> None:
        self.at, self.typed = max(0, min(at, len(self.updates) - 1)), ""

    def make_screen_at_step(self, at: int) -> GameScreen:
        """Return the screen after a step; its clocks are stopped."""
        screen = GameScreen()
        try:
            for update in self.updates[max(0, at - REMEMBERED) : at + 1]:
                screen.show_update(update, 0)
            screen.draw_screen_rows(0, 80, 40)  # whatever cannot be drawn is found here
        except (TabnetError, LookupError, TypeError, ValueError, AttributeError):
            raise StartError(f"update {at + 1} has no position of a known game") from None
        return screen

    def draw_screen_rows(self, columns: int, height: int) -> list[Row]:
        """Return the whole screen; the last row is the input line."""
        rows = self.make_screen_at_step(self.at).draw_screen_rows(0, columns, max(1, height - 2))
        return [*rows, ((f" {HELP}", "dim"),), ((self.prompt, "bold"), (self.typed, ""))]

    @property
    def prompt(self) -> str:
        return f" {self.at + 1} of {len(self.updates)} > "

    def format_steps(self, columns: int) -> Iterator[str]:
        """Yield all steps as clean text, with a board after each move."""
        width = len(str(len(self.updates)))
        for at, update in enumerate(self.updates):
            screen = self.make_screen_at_step(at)
            yield clean_line(f"{at + 1:{width}}  {screen.event_lines[-1]}")
            if update.position["event"]["type"] in CHANGING or screen.over:
                yield format_plain_rows(screen.draw_board_rows(columns, 0))
        yield clean_line(screen.result_sentence) if screen.over else "The match is not over."
