"""Games as the report's page replays them: the first board, and what each step changes. Pure.

The page knows no rules. A board is text, a character a cell; a step is the seat that acted, its
action as records write it, and behind a bar the cells that are different now with what stands
there: `08-9|8.9b` is seat 0 playing from 8 to 9, which leaves 8 empty and a `b` on 9.
A board that may be of any size has `/` between its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from tabnet.errors import TabnetError
from tabnet.games.api import State
from tabnet.games.draughts import DraughtsState
from tabnet.games.fish import PENGUIN, FishState
from tabnet.games.plakoto import PlakotoState
from tabnet.games.plakoto.board import COLOURS
from tabnet.games.tab import TabState
from tabnet.tournament.record import Record, first_position, load, replayed
from tabnet.tournament.results import Result

TAB_PIECES = ".abc.xyz"
"""By the byte of a cell: nothing; Blue's not moved, in motion, been in the last row; Red's."""

FIRST_FISH = 0x100
"""What is added to the byte of a place in Fish: 128 for each seat's penguin, and the fish."""


def _sea(state: FishState) -> str:
    """The places of all rows, each with its fish and whose penguin is there."""
    owner = {
        cell: 128 * (1 + seat)
        for seat in range(len(state.places))
        for cell in state.penguins_of(seat)
    }
    cols = state.sea.cols
    cells = [
        chr(FIRST_FISH + byte % PENGUIN + owner.get(cell, 0))
        for cell, byte in enumerate(state.board)
    ]
    return "/".join("".join(cells[row : row + cols]) for row in range(0, len(cells), cols))


FIRST_PLAKOTO = 0x100
"""What is added to the checkers on a point: 16 if they are Black's, 32 if they pin one."""


def _points(state: PlakotoState) -> str:
    """The points from 1 to 24, then what White and Black have borne off."""
    view = state.view()
    held = [
        point["count"] + 16 * (point["owner"] == COLOURS[1]) + 32 * point["pinned"] if point else 0
        for point in view["points"]
    ]
    return "".join(chr(FIRST_PLAKOTO + number) for number in (*held, *view["off"]))


BOARDS: dict[str, Callable[[State], str]] = {
    "tab": lambda state: "".join(TAB_PIECES[byte] for byte in cast(TabState, state).board),
    "draughts": lambda state: cast(DraughtsState, state).board.replace("0", "."),
    "fish": lambda state: _sea(cast(FishState, state)),
    "plakoto": lambda state: _points(cast(PlakotoState, state)),
}
"""How the position of each kind of game is written as text."""


def by_interest(results: Iterable[Result]) -> list[Result]:
    """Which games to show first when not all can be: faults, then by id, which is as by lot."""
    return sorted(results, key=lambda result: (not result.went_wrong, result.game.id))


def reel(result: Result, line: bytes | None, names: Sequence[str]) -> dict[str, Any]:
    """A game for the page; `line` is what was kept of it. Players are numbers in `names`."""
    told: dict[str, Any] = {
        "id": result.game.id,
        "seats": [names.index(name) for name in result.game.seats],
        "pair": result.game.pair,
        "winners": list(result.winners),
        "cause": result.cause,
        "culprit": result.culprit,
        "detail": result.detail,
        "reason": result.reason,
        "moves": result.moves,
        **(_among_many(result) if len(result.places) > 2 else {}),
    }
    if line is None:
        return {**told, "missing": "what was played in this game was not kept"}
    try:
        return {**told, **_pictures(load(line))}
    except (TabnetError, ValueError) as error:
        return {**told, "missing": f"this game cannot be shown: {error}"}


def _among_many(result: Result) -> dict[str, Any]:
    """Who was not first may still have been second, and who was removed was not alone."""
    removed = [{"seat": each.seat, "cause": each.cause} for each in result.removed]
    return {"places": list(result.places), "removed": removed}


def _pictures(record: Record) -> dict[str, Any]:
    if record.kind not in BOARDS:
        raise ValueError(f"there is no picture of a board of {record.kind}")
    picture = BOARDS[record.kind]
    first = board = picture(first_position(record))
    steps = []
    for step in replayed(record):
        before, board = board, picture(step.state)
        steps.append(f"{step.seat}{step.action}{_changes(before, board)}")
    return {"kind": record.kind, "board": first, "steps": " ".join(steps)}


def _changes(before: str, after: str) -> str:
    if before == after:
        return ""
    changed = (
        f"{cell}{piece}"
        for cell, (old, piece) in enumerate(zip(before, after, strict=True))
        if old != piece
    )
    return f"|{''.join(changed)}"
