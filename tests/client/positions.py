"""Updates made by hand, from positions of the rules."""

from __future__ import annotations

from typing import Any

from tabnet.games import GAMES
from tabnet.games.api import State
from tabnet.protocol.frames import Snapshot

NICKS = ("ann", "bob", "cat", "dan")


def snapshot(kind: str, state: State, seq: int = 1, **more: Any) -> Snapshot:
    """The update of a position; `more` are fields like `event`, `step` or `winner`."""
    game = GAMES[kind]
    view = state.view()
    nicks = NICKS[: len(view["state"]["players"]) if kind == "fish" else 2]
    for name in ("turn", "mustPass"):
        if view.get(name) is not None:
            view[name] = NICKS[view[name]]
    position = {
        "kind": kind,
        "event": {"type": "start"},
        "players": dict(zip(nicks, game.colours, strict=False)),
        "initial": NICKS[0],
        **view,
        **({"step": "from"} if game.selects else {}),
        "clock": dict.fromkeys(nicks, 120.0),
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


def fish(board: list[list[int]], *players: list[tuple[int, int]], **view: Any) -> State:
    """Return a position of Fish without scores: colour, row and place of each penguin."""
    told = [
        {"color": colour, "score": 0, "places": [{"row": row, "col": col} for row, col in spots]}
        for colour, spots in zip(GAMES["fish"].colours, players, strict=False)
    ]
    return GAMES["fish"].load({"state": {"players": told, "board": board}, **view})
