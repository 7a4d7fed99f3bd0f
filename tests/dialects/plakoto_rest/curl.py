"""Plakoto over REST with the program `curl` alone, one process for each request."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from typing import Any

from attrs import field, frozen

OFF = {"W": 25, "B": 0}
STATUS = "\n%{http_code}"


@frozen
class Curl:
    """A client of a room, with the token of a seat."""

    url: str
    """The address of the room."""
    token: str | None = None
    note: Callable[[str], object] = field(default=str, repr=False)
    """Takes each command line with its output."""

    def ask(self, method: str, path: str, **fields: Any) -> tuple[int, Any]:
        """Send a request; return the status and the JSON of the response."""
        command = ["curl", "-s", "-X", method, f"{self.url}{path}"]
        if self.token is not None:
            command += ["-H", f"X-Token: {self.token}"]
        if fields:
            command += ["-d", json.dumps(fields)]
        run = subprocess.run([*command, "-w", STATUS], capture_output=True, text=True, check=True)
        body, _, status = run.stdout.rpartition("\n")
        self.note(f"$ {shlex.join(command)}\n{status} {body}\n")
        return int(status), json.loads(body)

    def get(self, path: str) -> Any:
        """Return the rows at a path."""
        status, rows = self.ask("GET", path)
        assert status == 200, rows
        return rows

    def status(self) -> dict[str, Any]:
        """Return the status row."""
        (row,) = self.get("status/")
        return row

    def sit_down(self, colour: str, username: str, **fields: Any) -> Curl:
        """Take a seat; return the client with its token."""
        status, rows = self.ask("PUT", f"players/{colour}", username=username, **fields)
        assert status == 200, rows
        return Curl(self.url, rows[0]["token"], self.note)

    def move(self, board: list[dict[str, Any]], row: dict[str, Any]) -> list[dict[str, Any]]:
        """Try moves with the dice of a status row until one is legal; return the board after it."""
        colour, errors = row["p_turn"], []
        for x, y in tops(board, colour):
            for die in dict.fromkeys(row["moves_left"]):
                to = x + die if colour == "W" else x - die
                to = min(to, OFF["W"]) if colour == "W" else max(to, OFF["B"])
                if is_blocked(board, to, colour):
                    continue
                status, found = self.ask("PUT", f"board/piece/{x}/{y}", x=to, y=1)
                if status == 200:
                    return found
                errors.append(found["errormesg"])
        raise AssertionError(f"no move of {colour} is legal: {errors}")


def stacks(board: list[dict[str, Any]]) -> dict[int, list[str]]:
    """Return the colours on each point, from the bottom up."""
    points: dict[int, list[str]] = {point: [] for point in range(1, 25)}
    for cell in sorted(board, key=lambda cell: cell["y"]):
        if cell["piece"] is not None:
            points[cell["x"]].append(cell["piece_color"])
    return points


def tops(board: list[dict[str, Any]], colour: str) -> list[tuple[int, int]]:
    """Return the point and height of each top checker of a colour, the rearmost first."""
    found = [(x, len(stack)) for x, stack in stacks(board).items() if stack[-1:] == [colour]]
    return found if colour == "W" else found[::-1]


def is_blocked(board: list[dict[str, Any]], to: int, colour: str) -> bool:
    """Return True if two checkers, or one that pins another, keep the colour from a point."""
    stack = stacks(board).get(to, [])
    return len(stack) > 1 and stack[-1] != colour


def play(players: dict[str, Curl], most: int = 10_000) -> dict[str, Any]:
    """Play moves until the game is over, or so many; return the status row then."""
    (anybody, *_) = players.values()
    board = anybody.get("board/")
    for _ in range(most):
        row = anybody.status()
        if row["status"] != "started":
            break
        board = players[row["p_turn"]].move(board, row)
    return anybody.status()
