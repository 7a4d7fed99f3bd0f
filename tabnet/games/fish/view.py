"""Positions of Fish as JSON values, and drawn as text.

A STATE has a board and players. The board is a list of rows, each a list of the fish on its tiles,
0 for a hole. The players are listed in the order of their turns, the one to move next first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tabnet.games.api import JSON
from tabnet.games.fish.board import PENGUIN, Sea

SIGNS = {"red": "R", "white": "W", "brown": "B", "black": "K"}


def dump_position(
    sea: Sea,
    board: bytes,
    turn: int | None,
    places: Sequence[tuple[int, ...] | None],
    scores: Sequence[int],
) -> dict[str, JSON]:
    first = turn or 0
    players = [
        {
            "color": sea.colours[seat],
            "score": scores[seat],
            "places": [sea.find_spot(cell)._asdict() for cell in places[seat] or ()],
        }
        for seat in (*range(first, len(places)), *range(first))
    ]
    return {
        "state": {"players": players, "board": dump_board(sea, board)},
        "turn": turn,
        "penguins": sea.penguins,
        "out": [sea.colours[seat] for seat, cells in enumerate(places) if cells is None],
    }


def dump_board(sea: Sea, board: bytes) -> list[list[int]]:
    """Return the fish of all tiles, including those under penguins."""
    fish = [byte % PENGUIN for byte in board]
    return [fish[start : start + sea.cols] for start in range(0, len(fish), sea.cols)]


def format_board(
    sea: Sea, board: bytes, places: Sequence[tuple[int, ...] | None], scores: Sequence[int]
) -> str:
    """Draw the tiles with their fish, a letter for each penguin, and the scores."""
    signs = {
        cell: choose_letter(sea.colours[seat])
        for seat, cells in enumerate(places)
        for cell in cells or ()
    }
    tiles = [(signs.get(cell, " "), byte % PENGUIN) for cell, byte in enumerate(board)]
    rows = [
        _format_row(row, tiles[row * sea.cols : (row + 1) * sea.cols]) for row in range(sea.rows)
    ]
    names = "".join(f"{col:<6}" for col in range(sea.cols))
    players = [
        f"{choose_letter(colour)} {colour}: {score}{' (out)' if cells is None else ''}"
        for colour, score, cells in zip(sea.colours, scores, places, strict=True)
    ]
    return "\n".join([f"      {names}".rstrip(), *rows, "", "   ".join(players)])


def choose_letter(colour: str) -> str:
    return SIGNS.get(colour, colour[:1])


def _format_row(row: int, tiles: Iterable[tuple[str, int]]) -> str:
    shift = "   " if row % 2 else ""
    drawn = "".join(f"{penguin}{fish or '.':<5}" for penguin, fish in tiles)
    return f"{row:3}  {shift}{drawn}".rstrip()
