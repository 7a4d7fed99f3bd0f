"""Plakoto, one of the games of Greek tavli: two dice, and checkers that pin instead of hitting.

A turn is a throw and then its dice, each played by one checker at a time, a double four times. As
much of a throw as possible must be played. The player who bears all checkers off wins. The mother
is the last checker on a player's own first point. A player who pins the opponent's mother, and has
no checker left on the own first point, wins at once and doubly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from tabnet.errors import InvalidMove, InvalidOptions
from tabnet.games.api import JSON, Game, Move, Roll
from tabnet.games.plakoto.board import COLOURS, FIRST, LAST, OFF, START, THEIRS_OFF, PlakotoMove
from tabnet.games.plakoto.check_positions import CHECK_POSITIONS
from tabnet.games.plakoto.drawing import STYLES, draw_in_terminal
from tabnet.games.plakoto.fields import FIELDS, PlakotoOptions
from tabnet.games.plakoto.load import load_position
from tabnet.games.plakoto.refusals import CODES
from tabnet.games.plakoto.sentences import ENDINGS, describe_move, describe_roll
from tabnet.games.plakoto.state import PlakotoState, convert_throw_to_dice
from tabnet.games.plakoto.typed_moves import CELL_PATTERN, list_cells, read_move
from tabnet.games.plakoto.view import VIEW_FIELDS
from tabnet.games.random_numbers import draw_below
from tabnet.games.terminal import TerminalGame


class Plakoto(Game):
    """Plakoto as a `Game`: two players, White and Black, and White begins."""

    kind = "plakoto"
    name = "Plakoto"
    seats = range(2, 3)
    colours = COLOURS
    options = PlakotoOptions
    view_fields = VIEW_FIELDS
    board_fields = ("points", "off", "dice")
    ranks_points = True
    uses_chance = True
    has_dice = True
    terminal = TerminalGame(
        draw=draw_in_terminal,
        styles=STYLES,
        list_cells=list_cells,
        read_move=read_move,
        cell_pattern=CELL_PATTERN,
        describe_move=describe_move,
        describe_roll=describe_roll,
        endings=ENDINGS,
    )
    check_positions = CHECK_POSITIONS
    fields = FIELDS
    codes = CODES

    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> PlakotoState:  # noqa: ARG002
        if seats not in self.seats or layout is not None:
            raise InvalidOptions("invalid_option", "Plakoto is for two, and deals no layout")
        return PlakotoState(START)

    def load(self, view: JSON) -> PlakotoState:
        """Return the position of a view. `points` alone are enough: then seat 0 is to throw."""
        return load_position(view)

    def parse_move(self, fields: Mapping[str, JSON]) -> PlakotoMove:
        self.require_known_fields(fields)
        start = _parse_point("from", fields, range(FIRST, LAST + 1))
        return PlakotoMove(start, _parse_point("to", fields, range(THEIRS_OFF, OFF + 1)))

    def dump_move(self, move: Move) -> dict[str, JSON]:
        played = cast(PlakotoMove, move)
        return {"from": played.start, "to": played.to}

    def read_roll(self, next_byte: Callable[[], int]) -> Roll:
        """Read two dice, one after the other."""
        return Roll((1 + draw_below(6, next_byte), 1 + draw_below(6, next_byte)))

    def dump_roll(self, roll: Roll) -> JSON:
        return list(convert_throw_to_dice(roll.outcome))

    def parse_roll(self, dice: JSON) -> Roll:
        return Roll(tuple(dice[:2]))


def _parse_point(name: str, fields: Mapping[str, JSON], known: range) -> int:
    if name not in fields:
        raise InvalidMove(f"undefined {name}", field=name)
    point = fields[name]
    hint = f"{known[0]} to {known[-1]}"
    if type(point) is not int:
        raise InvalidMove(f"{name} is not an integer", field=name, hint=hint)
    if point not in known:
        raise InvalidMove(f"{name} is not on the board", field=name, hint=hint)
    return point


PLAKOTO = Plakoto()
