"""The output of a benchmark: lines for people, and the figures in them for programs."""

from __future__ import annotations

from typing import Any, Protocol


class Output(Protocol):
    """Takes a line, and the figures that it shows.

    `measured` says what the figures are about. The name of a figure ends with its unit.
    """

    def __call__(self, line: str, /, **figures: Any) -> object: ...


class Figures:
    """Keeps the figures of all lines."""

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []

    def __call__(self, _line: str, /, **figures: Any) -> None:
        if figures:
            self.found.append(figures)
