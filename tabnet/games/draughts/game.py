"""Draughts by the English and American rules (checkers).

A move is its whole route. If a capture is possible, the player must capture, and must complete the
capture, but may choose which one. A side that cannot move loses. A position that occurs for the
third time is a draw, and so are 40 moves by each side without a capture or a move of a man.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tabnet.errors import InvalidMove, InvalidOptions
from tabnet.games.api import JSON, Game, Move
from tabnet.games.draughts.board import COLOURS, ROUTE_HINT, START, DraughtsMove, find_move
from tabnet.games.draughts.check_positions import CHECK_POSITIONS
from tabnet.games.draughts.drawing import STYLES, draw_in_terminal
from tabnet.games.draughts.fields import EXAMPLES, FIELDS, DraughtsOptions
from tabnet.games.draughts.load import load_position, read_board_key
from tabnet.games.draughts.recorded_games import read_recorded_game, write_recorded_game
from tabnet.games.draughts.refusals import CODES
from tabnet.games.draughts.sentences import ENDINGS, describe_move
from tabnet.games.draughts.state import DraughtsState
from tabnet.games.draughts.typed_moves import list_cells, read_move
from tabnet.games.notation import Notation
from tabnet.games.terminal import TerminalGame


class Draughts(Game):
    """Draughts as a `Game`: two players, White and Black, and White begins."""

    kind = "draughts"
    name = "draughts"
    seats = range(2, 3)
    colours = COLOURS
    options = DraughtsOptions
    clock = {"total": 600}  # noqa: RUF012 - a constant
    view_fields = ("board", "turn", "quiet", "seen")
    board_fields = ("board",)
    terminal = TerminalGame(
        draw=draw_in_terminal,
        styles=STYLES,
        list_cells=list_cells,
        read_move=read_move,
        describe_move=describe_move,
        endings=ENDINGS,
    )
    check_positions = CHECK_POSITIONS
    fields = FIELDS
    examples = EXAMPLES
    codes = CODES

    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> DraughtsState:  # noqa: ARG002
        if seats not in self.seats or layout is not None:
            raise InvalidOptions("invalid_option", "draughts is for two, and deals no layout")
        return DraughtsState(*read_board_key(START, 0, "board"))

    def load(self, view: JSON) -> DraughtsState:
        """Return the position of a view, or of a PDN FEN such as `W:W21,K22:B1-4`.

        `quiet` and `seen` are optional: without them the history is unknown.
        """
        return load_position(view)

    def parse_move(self, fields: Mapping[str, JSON]) -> DraughtsMove:
        """Return the move of `route`: every square that the piece touches."""
        self.require_known_fields(fields)
        if "route" not in fields:
            raise InvalidMove("undefined route", field="route", hint=ROUTE_HINT)
        route = tuple(fields["route"]) if isinstance(fields["route"], list) else ()
        try:
            return find_move(route)
        except TypeError:  # what is no text cannot be looked up, and is no square
            return DraughtsMove(route)

    def dump_move(self, move: Move) -> dict[str, JSON]:
        return {"route": list(move.route)}  # type: ignore[attr-defined] # cast() takes time


DRAUGHTS = Draughts()
Draughts.notation = Notation(
    "pdn",
    "Portable Draughts Notation",
    partial(write_recorded_game, DRAUGHTS),
    partial(read_recorded_game, DRAUGHTS),
)
