"""Nim with a die as a `Game`: throw the die, then take at most so many stones from the heap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from tabnet.games.nim.check_positions import CHECK_POSITIONS
from tabnet.games.nim.drawing import STYLES, draw_in_terminal
from tabnet.games.nim.fields import EXAMPLES, FIELDS, NimOptions
from tabnet.games.nim.load import VIEW_FIELDS, load_position
from tabnet.games.nim.refusals import CODES
from tabnet.games.nim.sentences import ENDINGS, describe_move
from tabnet.games.nim.state import NimState, Take
from tabnet.games.nim.typed_moves import list_cells, read_move

from tabnet.errors import InvalidMove
from tabnet.games.api import JSON, Game, Move, Roll
from tabnet.games.random_numbers import draw_below
from tabnet.games.terminal import TerminalGame


class Nim(Game):
    """The rules, the fields and the texts of Nim."""

    kind = "nim"
    name = "Nim"
    seats = range(2, 3)
    colours = ("Amber", "Jade")
    options = NimOptions
    leaderboard_option = "stones"
    view_fields = VIEW_FIELDS
    board_fields = ("stones", "dice")
    uses_chance = True
    has_dice = True
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

    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> NimState:  # noqa: ARG002
        """Return a full heap, with Amber to throw."""
        self.require(options, seats)
        return NimState((options or NimOptions()).stones)

    def load(self, view: JSON) -> NimState:
        """Return the position of a view."""
        return load_position(view)

    def parse_move(self, fields: Mapping[str, JSON]) -> Take:
        """Return the move of the field `take`."""
        take = fields.get("take")
        if set(fields) != {"take"} or type(take) is not int or take < 1:
            raise InvalidMove("a move is a number of stones", field="take")
        return Take(take)

    def dump_move(self, move: Move) -> dict[str, JSON]:
        """Return the fields of a move."""
        return {"take": cast(Take, move).count}

    def read_roll(self, next_byte: Callable[[], int]) -> Roll:
        """Return one die."""
        return Roll(1 + draw_below(6, next_byte))


NIM = Nim()
