"""Tab: four sticks serve as dice, and the player who loses the last piece loses the game.

A turn is a throw, then a move if one is legal. A throw of 1, 4 or 6 gives another throw. After any
other throw the turn ends, with the move or, if there is none, with a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from tabnet.errors import InvalidMove, InvalidOptions
from tabnet.games.api import JSON, Game, Move, Roll, Select, State
from tabnet.games.tab.board import COLOURS, SEAT, UNMOVED, TabMove
from tabnet.games.tab.check_positions import CHECK_POSITIONS
from tabnet.games.tab.drawing import STYLES, draw_in_terminal
from tabnet.games.tab.fields import EXAMPLES, FIELDS, TabOptions
from tabnet.games.tab.load import load_dice, load_position
from tabnet.games.tab.refusals import CODES, list_targets, make_refusal
from tabnet.games.tab.sentences import ENDINGS, describe_move, describe_roll
from tabnet.games.tab.state import TabState
from tabnet.games.tab.typed_moves import list_cells, read_move
from tabnet.games.tab.view import dump_dice
from tabnet.games.terminal import TerminalGame


class Tab(Game):
    """Tab as a `Game`: two players, Blue and Red."""

    kind = "tab"
    name = "Tab"
    seats = range(2, 3)
    colours = COLOURS
    options = TabOptions
    leaderboard_option = "size"
    view_fields = ("pieces", "turn", "dice", "mustPass")
    board_fields = ("pieces", "dice")
    uses_chance = True
    has_dice = True
    selects = True
    terminal = TerminalGame(
        draw=draw_in_terminal,
        styles=STYLES,
        list_cells=list_cells,
        read_move=read_move,
        describe_move=describe_move,
        describe_roll=describe_roll,
        endings=ENDINGS,
    )
    check_positions = CHECK_POSITIONS
    fields = FIELDS
    examples = EXAMPLES
    codes = CODES

    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> TabState:
        if seats not in self.seats:
            raise InvalidOptions("invalid_option", "Tab is for two", field="seats")
        if layout is not None:
            raise InvalidOptions("invalid_option", "Tab deals no layout", field="layout")
        size = (options or TabOptions()).size
        home, away = bytes([UNMOVED]) * size, bytes([SEAT + UNMOVED]) * size
        return TabState(home + bytes(2 * size) + away)

    def load(self, view: JSON) -> TabState:
        """Return the position of a view; `turn` 0, no dice and a right `mustPass` are optional."""
        return load_position(view)

    def parse_move(self, fields: Mapping[str, JSON]) -> TabMove:
        self.require_known_fields(fields)
        cell, to = _parse_cells(fields)
        if to is None:
            raise InvalidMove("undefined to", field="to")
        return TabMove(cell, to)

    def dump_move(self, move: Move) -> dict[str, JSON]:
        return {"cell": move.cell, "to": move.to}  # type: ignore[attr-defined] # cast() takes time

    def interpret(
        self, state: State, held: int | None, fields: Mapping[str, JSON]
    ) -> Move | Select:
        """Return the meaning of `cell`, with or without `to`.

        A piece with one destination goes there. A piece with two is selected, and the next `cell`
        is its destination; its own cell releases it.
        """
        position = cast(TabState, state)
        self.require_known_fields(fields)
        cell, to = _parse_cells(fields, len(position.board))
        if held is None or cell == held:
            if to is not None:
                return TabMove(cell, to)
            if held is not None:
                return Select(None)
            targets = position.targets(cell)
            return TabMove(cell, targets[0]) if len(targets) == 1 else Select(cell, targets)
        targets = position.targets(held)
        if to is not None or cell not in targets:
            raise make_refusal(
                "wrong_distance", f"{held} {list_targets(targets)}; {held} again lets it go"
            )
        return TabMove(held, cell)

    def read_roll(self, next_byte: Callable[[], int]) -> Roll:
        """Read one byte, whose low four bits are the sticks."""
        return Roll(next_byte() & 0b1111)

    def dump_roll(self, roll: Roll) -> JSON:
        return dump_dice(cast(int, roll.outcome))

    def parse_roll(self, dice: JSON) -> Roll:
        return Roll(load_dice(dice))


def _parse_cells(fields: Mapping[str, JSON], count: int | None = None) -> tuple[int, int | None]:
    """Return `cell` and, if present, `to`, on a board of `count` cells or of any size."""
    if "cell" not in fields:
        raise InvalidMove("undefined cell", field="cell")
    for name, cell in fields.items():
        if type(cell) is not int:
            raise InvalidMove(f"{name} is not an integer", field=name)
        if cell < 0:
            raise InvalidMove(f"{name} is negative", field=name)
        if count is not None and cell >= count:
            hint = f"0 to {count - 1}"
            raise InvalidMove(f"{name} is not on the board", field=name, hint=hint)
    return fields["cell"], fields.get("to")


TAB = Tab()
