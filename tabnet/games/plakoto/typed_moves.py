"""The moves of Plakoto as a person types them."""

from __future__ import annotations

from collections.abc import Mapping

from tabnet.games.api import JSON
from tabnet.games.plakoto.board import OFF, THEIRS_OFF
from tabnet.games.terminal import CELL, Turn, complete_route

OFF_WORD = "off"
"""The word for the destination of a checker that is borne off."""
CELL_PATTERN = f"{CELL}|{OFF_WORD}"


def list_cells(move: Mapping[str, JSON]) -> tuple[str, ...]:
    return str(move["from"]), _name_point(str(move["to"]))


def _name_point(cell: str) -> str:
    return OFF_WORD if cell in (str(OFF), str(THEIRS_OFF)) else cell


def read_move(cells: list[str], turn: Turn) -> dict[str, JSON]:
    """Read a point, and if its checker has a choice another one, or `off`."""
    if len(cells) not in (1, 2) or not cells[0].isdecimal() or len("".join(cells)) > 5:
        raise ValueError(f"a point is a number; {turn.demand}")
    start, to = complete_route([*cells[:1], *map(_name_point, cells[1:])], turn)
    if to == OFF_WORD:  # checkers are borne off only from a player's last points
        return {"from": int(start), "to": OFF if int(start) > 12 else THEIRS_OFF}
    if not to.isdecimal():
        raise ValueError(f"a point is a number; {turn.demand}")
    return {"from": int(start), "to": int(to)}
