"""The editor of the input line, key by key. Pure."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from attrs import Factory, define

ENTER, TAB, END_OF_INPUT, REDRAW = "\n", "\t", "\x04", "\x0c"
KEY = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~]|[^\[O])|[^\x1b]", re.DOTALL)
"""One key: a character, or the sequence of a key like an arrow."""
BEGUN = re.compile(r"\x1b(?:O|\[[0-?]*[ -/]*)?\Z")
"""An incomplete sequence."""

LONGEST_LINE = 40

Edit: TypeAlias = Callable[[str, int], tuple[str, int]]


def delete_word(text: str, at: int) -> tuple[str, int]:
    start = text.rstrip().rfind(" ", 0, at - 1) + 1 if at else 0
    return text[:start] + text[at:], start


EDITS: dict[str, Edit] = {
    **dict.fromkeys(("\x7f", "\b"), lambda text, at: (text[: max(0, at - 1)] + text[at:], at - 1)),
    **dict.fromkeys(("\x1b[3~", "\x04"), lambda text, at: (text[:at] + text[at + 1 :], at)),
    **dict.fromkeys(("\x1b[D", "\x02"), lambda text, at: (text, at - 1)),
    **dict.fromkeys(("\x1b[C", "\x06"), lambda text, at: (text, at + 1)),
    **dict.fromkeys(("\x1b[H", "\x1b[1~", "\x1bOH", "\x01"), lambda text, _: (text, 0)),
    **dict.fromkeys(("\x1b[F", "\x1b[4~", "\x1bOF", "\x05"), lambda text, _: (text, len(text))),
    "\x15": lambda text, at: (text[at:], 0),
    "\x0b": lambda text, at: (text[:at], at),
    "\x17": delete_word,
}
"""The effect of each key on a line and the cursor."""


@define
class Keys:
    """Splits the text from a terminal into keys; a sequence may come in pieces."""

    _begun: str = ""

    def split_keys(self, text: str) -> list[str]:
        """Return the complete keys.

        Enter may come as CR: `tty.setcbreak` of Python 3.12.0 and 3.12.1 leaves it as it is.
        """
        text = self._begun + text.replace("\r", ENTER)
        begun = BEGUN.search(text)
        self._begun = begun[0] if begun else ""
        return KEY.findall(text.removesuffix(self._begun))


@define
class Line:
    """The input line."""

    text: str = ""
    at: int = 0
    _old: deque[str] = Factory(lambda: deque(maxlen=100))

    def edit(self, key: str) -> None:
        if key in EDITS:
            text, at = EDITS[key](self.text, self.at)
            self.replace_text(text, at)
        elif key in ("\x1b[A", "\x1b[B") and self._old:  # up and down
            self._old.rotate(1 if key == "\x1b[A" else -1)
            self.replace_text(self._old[0])
        elif key.isprintable() and len(self.text) < LONGEST_LINE:
            self.replace_text(self.text[: self.at] + key + self.text[self.at :], self.at + 1)

    def replace_text(self, text: str, at: int | None = None) -> None:
        """Replace the text; the cursor goes to `at`, or to the end."""
        self.text = text
        self.at = len(text) if at is None else max(0, min(at, len(text)))

    def take_line(self) -> str:
        text, self.text, self.at = self.text, "", 0
        if text:
            self._old.append(text)
        return text
