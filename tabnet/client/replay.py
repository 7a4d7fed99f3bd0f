"""Going through a match that was played, a step forward or back at a time. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define

from tabnet.client.events import CHANGING
from tabnet.client.keys import END_OF_INPUT, ENTER
from tabnet.client.plain_text import clean, plain
from tabnet.client.table import REMEMBERED, Table
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
    """A match, which of its steps is shown, and the number that is being typed."""

    updates: Sequence[Snapshot]
    at: int = 0
    typed: str = ""

    def press(self, key: str) -> bool:
        """Do what a key means; false when it ends the replay."""
        if key in QUIT:
            return False
        if key.isdecimal() and key.isascii():
            self.typed = (self.typed + key)[: len(str(len(self.updates)))]
        elif key in ERASE:
            self.typed = self.typed[:-1]
        elif key == ENTER and self.typed:
            self._go(int(self.typed) - 1)
        elif key in NEXT or key in BACK:
            self._go(self.at + (1 if key in NEXT else -1))
        elif key in FIRST or key in LAST:
            self._go(0 if key in FIRST else len(self.updates))
        return True

    def _go(self, at: int) -> None:
        self.at, self.typed = max(0, min(at, len(self.updates) - 1)), ""

    def table(self, at: int) -> Table:
        """The table as it stood after that step, its clocks at rest."""
        table = Table()
        try:
            for update in self.updates[max(0, at - REMEMBERED) : at + 1]:
                table.take(update, 0)
            table.rows(0, 80, 40)  # whatever cannot be drawn is found here
        except (TabnetError, LookupError, TypeError, ValueError, AttributeError):
            raise StartError(f"update {at + 1} shows no position of a game known here") from None
        return table

    def rows(self, columns: int, height: int) -> list[Row]:
        """The whole screen; the last row is where one types."""
        rows = self.table(self.at).rows(0, columns, max(1, height - 2))
        return [*rows, ((f" {HELP}", "dim"),), ((self.prompt, "bold"), (self.typed, ""))]

    @property
    def prompt(self) -> str:
        """Which step is shown."""
        return f" {self.at + 1} of {len(self.updates)} > "

    def text(self, columns: int) -> Iterator[str]:
        """Yield all steps as clean text, with a board after each move."""
        width = len(str(len(self.updates)))
        for at, update in enumerate(self.updates):
            table = self.table(at)
            yield clean(f"{at + 1:{width}}  {table.told[-1]}")
            if update.position["event"]["type"] in CHANGING or table.over:
                yield plain(table.board(columns, 0))
        yield clean(table.result) if table.over else "The match is not over."
