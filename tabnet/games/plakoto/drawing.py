"""Plakoto drawn for a terminal."""

from __future__ import annotations

from typing import Any

from tabnet.games.terminal import SHADES, Marks, Position, Row, draw_chip

STYLES = {"White": "bold black on bright_white", "Black": "bold bright_white on grey11"}
LEGEND = "W White, to 25   B Black, to 0   * pins a checker of the other"
POINT = 6
"""The columns of a point."""


def draw_in_terminal(position: Position, seat: int, marks: Marks, columns: int) -> list[Row]:  # noqa: ARG001 - it always fits
    """Draw two rows of numbered points, the checkers borne off, and the dice."""
    upper, lower = list(range(13, 25)), list(range(12, 0, -1))
    if seat == 1:
        upper, lower = lower[::-1], upper[::-1]
    off = ", ".join(
        f"{count} {colour}" for count, colour in zip(position["off"], STYLES, strict=True)
    )
    dice = " ".join(map(str, position["dice"] or ["not thrown"]))
    return [
        _draw_point_numbers(upper),
        _draw_points(position, upper, marks),
        (),
        _draw_points(position, lower, marks),
        _draw_point_numbers(lower),
        ((f" {LEGEND}", "dim"),),
        (),
        ((f" Dice: {dice}", "bold" if position["dice"] else "dim"), (f"   Off: {off}", "")),
    ]


def _draw_point_numbers(points: list[int]) -> Row:
    numbers = "".join(f"{point:^{POINT}}" for point in points)
    return ((" ", ""), (numbers, "dim"))


def _draw_points(position: Position, points: list[int], marks: Marks) -> Row:
    chips: list[tuple[str, str]] = []
    for at, point in enumerate(points):
        checkers = _draw_checkers(position["points"][point - 1])
        chips += draw_chip(checkers, marks.choose_marks_around(str(point)), POINT, SHADES[at % 2])
    return ((" ", ""), *chips)


def _draw_checkers(point: dict[str, Any] | None) -> tuple[str, str]:
    if point is None:
        return ".", ""
    pin = "*" if point["pinned"] else ""
    return f"{point['count']}{point['owner'][0]}{pin}", STYLES[point["owner"]]
