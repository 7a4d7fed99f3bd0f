"""What a person types at the board: what it means, and what could be typed instead. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from posixpath import commonprefix
from typing import Any

from attrs import Factory, frozen

from tabnet.client.board_fish import spot, tile
from tabnet.client.dialogue import state_of
from tabnet.client.marks import Marks
from tabnet.games import GAMES
from tabnet.games.api import Move, Pass, Roll
from tabnet.protocol.frames import Snapshot

WORDS = {
    "roll": "throw",
    "pass": "hand the turn over, when nothing can be played",
    "moves": "list what can be played",
    "board": "draw the board again",
    "help": "this list",
    "draw": "offer a draw, or agree to one",
    "nodraw": "take the offer of a draw back",
    "leave": "give the game up",
    "quit": "stop; the seat is kept",
}
"""What can be typed beside cells; the beginning of a word is enough."""

CELL = re.compile(r"[a-o]\d{1,2}|\d+|off")
OFF, BEYOND = "off", ("0", "25")
"""How it is said that a checker of Plakoto leaves the board, and the points it goes to."""
MOST_SHOWN = 12
"""How many possibilities one line lists."""


@frozen
class Turn:
    """What the player to act may do: `roll`, `pass`, or `notify` with one of the routes."""

    kind: str
    action: str
    routes: tuple[tuple[str, ...], ...] = ()
    """Every legal move as the cells it names, from where first; the held piece's, if one is."""
    held: str | None = None
    """The piece that is selected, where a move can be typed in two steps."""

    @property
    def cells(self) -> list[str]:
        """What can be typed next, as single cells."""
        if self.held is not None:
            return [*(route[1] for route in self.routes), self.held]
        return list(dict.fromkeys(route[0] for route in self.routes))

    @property
    def lines(self) -> list[str]:
        """What can be typed, as whole lines."""
        if GAMES[self.kind].selects:
            return self.cells
        return [" ".join(route) for route in self.routes]

    @property
    def demand(self) -> str:
        """What is to be done, as an order."""
        if self.action != "notify":
            return {"roll": "roll", "pass": "there is no move: pass"}[self.action]
        if self.held is not None:
            targets = " or ".join(route[1] for route in self.routes)
            return f"{self.held} goes to {targets}; {self.held} again lets it go"
        if self.is_placing:
            return "choose a place for a new piece"
        what = "piece" if GAMES[self.kind].selects else "move"
        return f"choose a {what}: {listed(self.lines)}"

    @property
    def is_placing(self) -> bool:
        """A new piece comes to the board: a single cell is a whole move."""
        return all(len(route) == 1 for route in self.routes)

    @property
    def has_one_answer(self) -> bool:
        """Whether an empty line is enough."""
        return self.action != "notify" or len(self.routes) == 1


@frozen
class Said:
    """A line that was understood: one of `WORDS`, or `notify` with its fields."""

    word: str
    move: dict[str, Any] = Factory(dict)


DRAWS = {"draw": Said("draw", {"offer": True}), "nodraw": Said("draw", {"offer": False})}


def turn_of(update: Snapshot) -> Turn | None:
    """What the player to act may do; None when the game is over, or waits for salts."""
    if update.over or update.position.get("expects", "notify") in (None, "salt"):
        return None
    kind, step = update.position["kind"], update.position.get("step")
    legal = state_of(update).actions()
    if legal in ((Roll(),), (Pass(),)):
        return Turn(kind, "roll" if legal == (Roll(),) else "pass")
    held = str(update.position["cell"]) if step == "to" else None
    moves = [GAMES[kind].dump_move(action) for action in legal if isinstance(action, Move)]
    routes = [route_of(move) for move in moves]
    return Turn(kind, "notify", tuple(r for r in routes if held is None or r[0] == held), held=held)


def route_of(move: dict[str, Any]) -> tuple[str, ...]:
    """The cells that a move names, as a person types them."""
    if "route" in move:
        return tuple(move["route"])
    if "place" in move:
        return (named(move["place"]),)
    if "from" in move:
        return named(move["from"]), _point(named(move["to"]))
    return str(move["cell"]), str(move["to"])


def named(cell: Any) -> str:
    """A cell as a person types it: a tile by its letter and row, everything else as it is."""
    return tile(cell) if isinstance(cell, dict) else str(cell)


def marks_of(update: Snapshot, turn: Turn | None) -> Marks:
    """What stands out on the board; `turn` is None when nobody here is to type."""
    event = update.position["event"]
    last = route_of(event) if event["type"] == "move" else ()
    if turn is None or turn.is_placing:  # all free cells would stand out, and so none
        return Marks(last=frozenset(last))
    return Marks(frozenset(turn.cells) - {turn.held}, turn.held, frozenset(last))


def understand(line: str, turn: Turn | None) -> Said:
    """What a line means; raises `ValueError` with a sentence if it means nothing here.

    `turn` is None when nobody at this keyboard is to act.
    """
    text = line.strip().lower()
    cells = CELL.findall(text)
    words = [word for word in WORDS if text and word.startswith(text)]
    if len(words) == 1:
        return DRAWS.get(words[0]) or Said(words[0])
    if turn is None:
        raise ValueError("it is not your turn; you can type moves, board, help, leave or quit")
    if not text:
        return _obvious(turn)
    if cells and not CELL.sub("", text).strip(" ,>x-"):
        return Said("notify", READ[turn.kind](cells, turn))
    raise ValueError(f"'{line.strip()[:20]}' is no word and no cell; {turn.demand}, or type help")


def _obvious(turn: Turn) -> Said:
    if not turn.has_one_answer:
        raise ValueError(f"Enter alone is not enough: there are {len(turn.routes)} possibilities")
    if turn.action == "notify":
        return Said("notify", READ[turn.kind](list(turn.routes[0]), turn))
    return Said(turn.action)


def _read_tab(cells: list[str], turn: Turn) -> dict[str, Any]:
    """A piece or a destination alone, or both; whether it can be played is told by the server."""
    if len(cells) > 2 or not all(cell.isdecimal() and len(cell) < 6 for cell in cells):
        raise ValueError(f"a cell is a number; {turn.demand}")
    return dict(zip(("cell", "to"), map(int, cells), strict=False))


def _read_draughts(cells: list[str], turn: Turn) -> dict[str, Any]:
    """The beginning of a route is enough if only one legal move begins so."""
    if any(cell.isdecimal() for cell in cells):
        raise ValueError(f"a square is written like c3; {turn.demand}")
    return {"route": list(_completed(cells, turn))}


def _read_fish(cells: list[str], turn: Turn) -> dict[str, Any]:
    """A tile to place a penguin on; or where one stands, and where it goes if it has a choice."""
    if len(cells) > 2 or any(cell.isdecimal() for cell in cells):
        raise ValueError(f"a tile is written like c3; {turn.demand}")
    route = cells if turn.is_placing and len(cells) == 1 else _completed(cells, turn)
    names = ("place",) if len(route) == 1 else ("from", "to")
    return dict(zip(names, map(spot, route), strict=True))


def _completed(cells: Sequence[str], turn: Turn) -> Sequence[str]:
    """The only legal move that begins so; none, and the server says why not."""
    fitting = [route for route in turn.routes if route[: len(cells)] == tuple(cells)]
    if len(fitting) > 1:
        raise ValueError(f"say which: {listed([' '.join(route) for route in fitting])}")
    if not fitting and len(cells) == 1:
        raise ValueError(f"{cells[0]} has no legal move; {turn.demand}")
    return fitting[0] if fitting else cells


def _read_plakoto(cells: list[str], turn: Turn) -> dict[str, Any]:
    """A point, and if it has a choice another one, or `off`."""
    if len(cells) not in (1, 2) or not cells[0].isdecimal() or len("".join(cells)) > 5:
        raise ValueError(f"a point is a number; {turn.demand}")
    start, to = _completed([*cells[:1], *map(_point, cells[1:])], turn)
    if to == OFF:  # only who has come so far bears off
        return {"from": int(start), "to": 25 if int(start) > 12 else 0}
    if not to.isdecimal():
        raise ValueError(f"a point is a number; {turn.demand}")
    return {"from": int(start), "to": int(to)}


def _point(cell: str) -> str:
    return OFF if cell in BEYOND else cell


READ: dict[str, Callable[[list[str], Turn], dict[str, Any]]] = {
    "tab": _read_tab,
    "draughts": _read_draughts,
    "fish": _read_fish,
    "plakoto": _read_plakoto,
}
"""How cells become the fields of a `notify`, by kind."""


def complete(text: str, turn: Turn | None) -> tuple[str, list[str]]:
    """As much of a line as is certain, and what it could become."""
    begun = re.sub(r"([a-o]\d{1,2})[\s,>x-]*(?=[a-o])", r"\1 ", text.lower().lstrip())
    lines = [*(turn.lines if turn else []), *WORDS]
    fitting = [line for line in lines if line.startswith(begun)]
    return (commonprefix(fitting) or text), fitting


def listed(lines: list[str]) -> str:
    """Several possibilities in one line."""
    shown = ", ".join(lines[:MOST_SHOWN])
    return f"{shown}, ..." if len(lines) > MOST_SHOWN else shown
