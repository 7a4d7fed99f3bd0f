"""Updates made by hand, from positions of the rules."""

from __future__ import annotations

from typing import Any

from tabnet.games import GAMES
from tabnet.games.api import State
from tabnet.protocol.frames import Snapshot

NICKS = ("ann", "bob")


def snapshot(kind: str, state: State, seq: int = 1, **more: Any) -> Snapshot:
    """The update of a position; `more` are fields like `event`, `step` or `winner`."""
    game = GAMES[kind]
    view = state.view()
    for name in ("turn", "mustPass"):
        if view.get(name) is not None:
            view[name] = NICKS[view[name]]
    position = {
        "kind": kind,
        "event": {"type": "start"},
        "players": dict(zip(NICKS, game.colours, strict=False)),
        "initial": NICKS[0],
        **view,
        **({"step": "from"} if game.selects else {}),
        "clock": dict.fromkeys(NICKS, 120.0),
        **more,
    }
    return Snapshot(game="g1", seq=seq, position=position)


def tab(pieces: dict[int, str], size: int = 7, **view: Any) -> State:
    """A position of Tab: letters on cells, as the board shows them."""
    cells: list[Any] = [None] * (4 * size)
    for cell, letter in pieces.items():
        cells[cell] = {
            "color": "Blue" if letter[0] in "bB" else "Red",
            "inMotion": letter[0].isupper(),
            "reachedLastRow": letter.endswith("*"),
        }
    return GAMES["tab"].load({"pieces": cells, **view})


def draughts(fen: str) -> State:
    """A position of draughts."""
    return GAMES["draughts"].load(fen)


def fish(board: list[list[int]], *places: list[tuple[int, int]], **view: Any) -> State:
    """A position of Fish: where the penguins of each player stand."""
    players = [
        {
            "color": colour,
            "score": 7 * seat,
            "places": [{"row": row, "col": col} for row, col in standing],
        }
        for seat, (colour, standing) in enumerate(zip(("red", "white"), places, strict=True))
    ]
    return GAMES["fish"].load({"state": {"players": players, "board": board}, **view})
