"""The options and the wire fields of Fish."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from attrs import Attribute, field, frozen

from tabnet.errors import InvalidOptions, InvalidPosition, quote
from tabnet.games.api import JSON
from tabnet.games.field_declarations import Board, Coordinate, KindFields, kind_field
from tabnet.games.fish.board import MOST_FISH
from tabnet.games.fish.load import Rows, read_board

MOST_ROWS = 15
USUAL_ROWS = 5


def _convert_board(board: JSON) -> Rows | None:
    if board is None:
        return None
    try:
        rows = read_board(board, "board")
    except InvalidPosition as error:
        refuse_option(str(error.field), error.text, error.hint)
    if len(rows) > MOST_ROWS or len(rows[0]) > MOST_ROWS:
        refuse_option("board", "the board is too large", f"{MOST_ROWS} x {MOST_ROWS} at most")
    return rows


def _check_range(least: int, most: int) -> Callable[[Any, Attribute[Any], Any], None]:
    def check(_: Any, attribute: Attribute[Any], value: Any) -> None:
        if value is not None and (type(value) is not int or value not in range(least, most + 1)):
            text, hint = f"invalid {attribute.name} {quote(value)}", f"{least} to {most}"
            refuse_option(attribute.name, text, hint)

    return check


@frozen
class FishOptions:
    """The options of a match of Fish; a board replaces all others."""

    board: Rows | None = field(default=None, converter=_convert_board)
    rows: int = field(validator=_check_range(1, MOST_ROWS))
    cols: int = field(validator=_check_range(1, MOST_ROWS))
    fish: int | None = field(default=None, validator=_check_range(1, MOST_FISH))
    """The fish on every tile; None if they are dealt."""
    holes: int = field(default=0, validator=_check_range(0, MOST_ROWS**2))

    @rows.default
    def _default_rows(self) -> int:
        return len(self.board) if self.board else USUAL_ROWS

    @cols.default
    def _default_cols(self) -> int:
        return len(self.board[0]) if self.board else USUAL_ROWS

    def __attrs_post_init__(self) -> None:
        if self.board is None:
            return
        said = {"rows": len(self.board), "cols": len(self.board[0]), "fish": None, "holes": 0}
        for name, value in said.items():
            if getattr(self, name) != value:
                refuse_option(name, f"the board says already what {name} is")

    @property
    def is_dealt(self) -> bool:
        """Return whether the board depends on chance."""
        return self.board is None and (self.fish is None or self.holes > 0)

    @property
    def tiles(self) -> int:
        if self.board is not None:
            return sum(fish > 0 for row in self.board for fish in row)
        return self.rows * self.cols - self.holes


def refuse_option(name: str, text: str, hint: str | None = None) -> NoReturn:
    raise InvalidOptions("invalid_option", text, field=name, hint=hint) from None


FIELDS = KindFields(
    join={
        "rows": kind_field(int, "how many rows the board has", usual="5"),
        "cols": kind_field(int, "how many columns the board has", usual="5"),
        "fish": kind_field(int, "the number of fish on every tile", usual="1 to 5, at random"),
        "holes": kind_field(int, "how many places have no tile, at random", usual="0"),
        "board": kind_field(
            Board,
            "the fish on each tile, row by row, 0 for a hole; instead of the other options",
            longest=MOST_ROWS,
        ),
    },
    notify={
        "from": kind_field(Coordinate, 'the penguin to move, like {"row":0,"col":3}'),
        "to": kind_field(Coordinate, "where the penguin goes"),
        "place": kind_field(Coordinate, 'where to place a penguin, like {"row":0,"col":3}'),
    },
    moves={"from": kind_field(Coordinate, "only moves of the penguin at this place")},
)

EXAMPLES = {
    "play": ("tabnet play --kind fish --seats 3",),
    "tournament": (
        "tabnet tournament bots/*.py --kind fish --seats 3 --pairs 4",
        "tabnet tournament bots/*.py --kind fish --format elimination",
    ),
}
