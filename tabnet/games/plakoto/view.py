"""Positions of Plakoto as JSON values, and drawn as text."""

from __future__ import annotations

from tabnet.games.api import JSON, Outcome
from tabnet.games.plakoto.board import COLOURS, COUNT, FIRST, LAST, OFF, PINNING, THEIRS, THEIRS_OFF

VIEW_FIELDS = ("points", "off", "won", "turn", "dice", "mustPass")
LEGEND = "W White, from 1 to 24   B Black, from 24 to 1   * pins a checker of the other"


def dump_board(board: bytes) -> dict[str, JSON]:
    """Return a board as White sees it: each point as null or its checkers, and those borne off."""
    return {
        "points": [_dump_point(byte) if byte else None for byte in board[FIRST : LAST + 1]],
        "off": [board[OFF] & COUNT, board[THEIRS_OFF] & COUNT],
    }


def _dump_point(byte: int) -> dict[str, JSON]:
    return {
        "owner": COLOURS[byte & THEIRS > 0],
        "count": byte & COUNT,
        "pinned": byte & PINNING > 0,
    }


def format_board(
    board: bytes, turn: int | None, dice: tuple[int, ...], outcome: Outcome | None, must_pass: bool
) -> str:
    """Draw the board as White sees it, whose home is at the top on the right."""
    half = LAST // 2
    upper, lower = range(half + 1, LAST + 1), range(half, 0, -1)
    lines = [
        _format_row([str(point) for point in upper]),
        _format_row([_format_point(board[point]) for point in upper])
        + _format_borne_off("W", board[OFF]),
        "",
        _format_row([_format_point(board[point]) for point in lower])
        + _format_borne_off("B", board[THEIRS_OFF]),
        _format_row([str(point) for point in lower]),
        LEGEND,
        _describe_status(turn, dice, outcome, must_pass),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _format_row(cells: list[str]) -> str:
    padded = [f"{cell:>4} " for cell in cells]
    middle = len(padded) // 2
    return f"{''.join(padded[:middle])} |{''.join(padded[middle:])}"


def _format_point(byte: int) -> str:
    if not byte:
        return "."
    return f"{byte & COUNT}{'WB'[byte & THEIRS > 0]}{'*' if byte & PINNING else ''}"


def _format_borne_off(letter: str, byte: int) -> str:
    return f"  off: {byte & COUNT}{letter}" if byte else ""


def _describe_status(
    turn: int | None, dice: tuple[int, ...], outcome: Outcome | None, must_pass: bool
) -> str:
    if turn is not None:
        player = COLOURS[turn]
        if not dice:
            return f"{player} is to throw."
        left = f"{player} has {' '.join(map(str, dice))} left"
        return f"{left}, cannot move, and must pass." if must_pass else f"{left} to play."
    if outcome is None or not outcome.winners:
        return "A draw: both mothers are pinned."
    winner = outcome.winners[0]
    why = {
        "mother": f"{COLOURS[1 - winner]}'s mother is pinned",
        "borne_off": "all checkers are borne off",
    }[outcome.reason]
    return f"{COLOURS[winner]} has won {outcome.points[winner]}: {why}."
