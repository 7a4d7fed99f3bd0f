"""The parser for what a person types at the board, and its completion. Pure."""

from __future__ import annotations

import re
from posixpath import commonprefix
from typing import Any

from attrs import Factory, frozen

from tabnet.client.client_state import state_of
from tabnet.games import GAMES
from tabnet.games.api import Move, Pass, Roll
from tabnet.games.terminal import Marks, Turn
from tabnet.protocol.frames import Snapshot

WORDS = {
    "roll": "throw the dice or the sticks",
    "pass": "pass, if there is no legal move",
    "moves": "list the legal moves",
    "board": "draw the board again",
    "help": "show this list",
    "draw": "offer a draw, or accept one",
    "nodraw": "withdraw your draw offer",
    "leave": "resign",
    "quit": "stop; your seat is kept",
}
"""The words that can be typed besides cells; the beginning of a word is enough."""


@frozen
class TypedCommand:
    """A parsed line: one of `WORDS`, or `notify` with its fields."""

    word: str
    move: dict[str, Any] = Factory(dict)


DRAWS = {
    "draw": TypedCommand("draw", {"offer": True}),
    "nodraw": TypedCommand("draw", {"offer": False}),
}


def find_legal_turn(update: Snapshot) -> Turn | None:
    """Return what the player to act may do; None if the game is over or waits for salts."""
    if update.over or update.position.get("expects", "notify") in (None, "salt"):
        return None
    kind, step = update.position["kind"], update.position.get("step")
    legal = state_of(update).actions()
    if legal in ((Roll(),), (Pass(),)):
        return Turn(kind, "roll" if legal == (Roll(),) else "pass")
    game = GAMES[kind]
    held = str(update.position["cell"]) if step == "to" else None
    moves = [game.dump_move(action) for action in legal if isinstance(action, Move)]
    routes = [game.terminal.list_cells(move) for move in moves]
    fitting = tuple(route for route in routes if held is None or route[0] == held)
    return Turn(kind, "notify", fitting, held, game.selects, game.terminal.placing)


def find_board_marks(update: Snapshot, turn: Turn | None) -> Marks:
    """Return the marks on the board; `turn` is None if nobody here is to act."""
    event = update.position["event"]
    game = GAMES[update.position["kind"]]
    last = game.terminal.list_cells(event) if event["type"] == "move" else ()
    if turn is None or turn.is_placing:  # all free cells would stand out, and so none
        return Marks(last=frozenset(last))
    return Marks(frozenset(turn.next_cells) - {turn.held}, turn.held, frozenset(last))


def parse_line(line: str, turn: Turn | None) -> TypedCommand:
    """Parse a line; raises `ValueError` with a sentence if it means nothing here.

    `turn` is None if no player at this keyboard is to act.
    """
    text = line.strip().lower()
    words = [word for word in WORDS if text and word.startswith(text)]
    if len(words) == 1:
        return DRAWS.get(words[0]) or TypedCommand(words[0])
    if turn is None:
        raise ValueError("it is not your turn; you can type moves, board, help, leave or quit")
    if not text:
        return _make_only_legal_command(turn)
    terminal = GAMES[turn.kind].terminal
    cells = re.findall(terminal.cell_pattern, text)
    if cells and not re.sub(terminal.cell_pattern, "", text).strip(" ,>x-"):
        return TypedCommand("notify", terminal.read_move(cells, turn))
    raise ValueError(f"'{line.strip()[:20]}' is not a word or a cell; {turn.demand}, or type help")


def _make_only_legal_command(turn: Turn) -> TypedCommand:
    if not turn.has_one_answer:
        raise ValueError(f"Enter alone is not enough: there are {len(turn.routes)} legal moves")
    if turn.action != "notify":
        return TypedCommand(turn.action)
    move = GAMES[turn.kind].terminal.read_move(list(turn.routes[0]), turn)
    return TypedCommand("notify", move)


def complete_line(text: str, turn: Turn | None) -> tuple[str, list[str]]:
    """Return the longest certain completion of a line, and all its completions."""
    begun = re.sub(r"([a-o]\d{1,2})[\s,>x-]*(?=[a-o])", r"\1 ", text.lower().lstrip())
    lines = [*(turn.typed_lines if turn else []), *WORDS]
    fitting = [line for line in lines if line.startswith(begun)]
    return (commonprefix(fitting) or text), fitting
