"""Fish: penguins slide over the ice, and take with them the tiles they leave.

Two to four players place their penguins in turns, then move them, one a turn, as far as they like
along a line of free tiles. The tile that was left is gone, and its fish are the player's. Who
cannot move is skipped; when nobody can, the most fish win.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from attrs import Attribute, evolve, field, frozen

from tabnet.errors import InvalidMove, InvalidOptions, InvalidPosition, shown
from tabnet.games.api import JSON, Action, Game, Move, State
from tabnet.games.fish_board import COLOURS, MOST_FISH, FishMove, Place, Sea, Slide, Spot
from tabnet.games.fish_load import Rows, load, read_board, read_spot
from tabnet.games.fish_state import FishState, settled

__all__ = ["FISH", "Fish", "FishMove", "FishOptions", "FishState", "Place", "Slide", "Spot"]

MOST_ROWS = 15
USUAL_ROWS = 5
MOST_DEALT = 5
"""Fish on a tile that is dealt."""

TAKES = "Fish takes place, or from and to"


def _board_given(board: JSON) -> Rows | None:
    if board is None:
        return None
    try:
        rows = read_board(board, "board")
    except InvalidPosition as error:
        raise _bad_option(str(error.field), error.text, error.hint) from None
    if len(rows) > MOST_ROWS or len(rows[0]) > MOST_ROWS:
        raise _bad_option("board", "the board is too large", f"{MOST_ROWS} x {MOST_ROWS} at most")
    return rows


def _check_range(least: int, most: int) -> Callable[[Any, Attribute[Any], Any], None]:
    def check(_: Any, attribute: Attribute[Any], value: Any) -> None:
        if value is not None and (type(value) is not int or value not in range(least, most + 1)):
            text, hint = f"invalid {attribute.name} {shown(value)}", f"{least} to {most}"
            raise _bad_option(attribute.name, text, hint)

    return check


@frozen
class FishOptions:
    """What a match of Fish can be asked for; a board says everything else as well."""

    board: Rows | None = field(default=None, converter=_board_given)
    rows: int = field(validator=_check_range(1, MOST_ROWS))
    cols: int = field(validator=_check_range(1, MOST_ROWS))
    fish: int | None = field(default=None, validator=_check_range(1, MOST_FISH))
    """On every tile; otherwise they are dealt."""
    holes: int = field(default=0, validator=_check_range(0, MOST_ROWS**2))
    """How many places are dealt to be without a tile."""

    @rows.default
    def _rows(self) -> int:
        return len(self.board) if self.board else USUAL_ROWS

    @cols.default
    def _cols(self) -> int:
        return len(self.board[0]) if self.board else USUAL_ROWS

    def __attrs_post_init__(self) -> None:
        if self.board is None:
            return
        said = {"rows": len(self.board), "cols": len(self.board[0]), "fish": None, "holes": 0}
        for name, value in said.items():
            if getattr(self, name) != value:
                raise _bad_option(name, f"the board says already what {name} is")

    @property
    def is_dealt(self) -> bool:
        """Whether something is left to chance."""
        return self.board is None and (self.fish is None or self.holes > 0)

    @property
    def tiles(self) -> int:
        """How many there are."""
        if self.board is not None:
            return sum(fish > 0 for row in self.board for fish in row)
        return self.rows * self.cols - self.holes


class Fish(Game):
    """Fish as a `Game`: two to four players, and red begins."""

    kind = "fish"
    title = "Fish"
    seats = range(2, 5)
    colours = COLOURS
    options = FishOptions
    view_fields = ("state", "turn", "penguins", "out")
    uses_chance = True

    def require(self, options: Any, seats: int) -> None:
        """There must be a tile for every penguin."""
        super().require(options, seats)
        wanted = seats * _penguins(seats)
        if options.tiles < wanted:
            text = f"{seats} players place {wanted} penguins, and the tiles are {options.tiles}"
            raise _bad_option("rows", text)

    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> FishState:
        """A board without penguins, red to place the first."""
        options = options or FishOptions()
        self.require(options, seats)
        if (layout is not None) != options.is_dealt:
            if layout is None:
                hint = "fish without holes, or a board, leave nothing to chance"
                raise _bad_option("layout", "this board is dealt, and no layout is given", hint)
            raise _bad_option("layout", "with this board nothing is dealt")
        rows = options.board or ((options.fish,) * options.cols,) * options.rows
        if layout is not None:
            rows = read_board(layout, "layout")
        sea = Sea(len(rows), len(rows[0]), _penguins(seats), COLOURS[:seats])
        board = bytes(fish for row in rows for fish in row)
        return settled(sea, board, ((),) * seats, (0,) * seats, 0)

    def deal(self, options: Any, seats: int, next_byte: Callable[[], int]) -> JSON:  # noqa: ARG002
        """The board, as rows of fish, if the options leave anything to chance; else None.

        The places are numbered row by row, from 0. First the holes are drawn, one after the other:
        with n places left, the first byte below the largest multiple of n that is at most 256,
        modulo n, tells how many of the places left, from the first on, stay before the hole. Then
        the fish, unless their number is given, of each tile in its turn: the first byte below 255,
        modulo 5, plus 1.
        """
        if not options.is_dealt:
            return None
        left = list(range(options.rows * options.cols))
        for _ in range(options.holes):
            del left[_below(len(left), next_byte)]
        cells = [0] * (options.rows * options.cols)
        for cell in left:
            cells[cell] = options.fish or 1 + _below(MOST_DEALT, next_byte)
        return [cells[row * options.cols :][: options.cols] for row in range(options.rows)]

    def load(self, view: JSON) -> FishState:
        """The position of a view, or of a STATE alone; see `fish_load`."""
        return load(view)

    def could_play(self, state: State, seat: int) -> tuple[Action, ...]:
        """Everybody's penguins can be looked at, whosever turn it is."""
        fish = cast(FishState, state)
        if fish.turn is None or fish.places[seat] is None:
            return ()
        return evolve(fish, turn=seat).actions()

    def parse_move(self, fields: Mapping[str, JSON]) -> FishMove:
        """`place`, or `from` and `to`, each an object with `row` and `col`."""
        names = set(fields)
        for name in sorted(names - {"place", "from", "to"}):
            raise _bad_move(name, f"unknown field '{name}'")
        if names == {"place"}:
            return Place(_spot(fields, "place"))
        if "place" in names:
            raise _bad_move("place", "place stands alone")
        return Slide(_spot(fields, "from"), _spot(fields, "to"))

    def dump_move(self, move: Move) -> dict[str, JSON]:
        """The inverse of `parse_move`."""
        if isinstance(move, Place):
            return {"place": move.at._asdict()}
        slide = cast(Slide, move)
        return {"from": slide.start._asdict(), "to": slide.end._asdict()}


def _penguins(seats: int) -> int:
    """How many each of so many players has."""
    return 6 - seats


def _below(count: int, next_byte: Callable[[], int]) -> int:
    """A number below `count`, each as likely as any other."""
    while True:
        byte = next_byte()
        if byte < 256 - 256 % count:
            return byte % count


def _spot(fields: Mapping[str, JSON], name: str) -> Spot:
    if name not in fields:
        raise _bad_move(name, f"undefined {name}")
    try:
        return read_spot(fields[name], name)
    except InvalidPosition as error:
        raise _bad_move(error.field, error.text) from None


def _bad_move(name: str | None, text: str) -> InvalidMove:
    return InvalidMove("invalid_move", text, field=name, hint=TAKES)


def _bad_option(name: str, text: str, hint: str | None = None) -> InvalidOptions:
    return InvalidOptions("invalid_option", text, field=name, hint=hint)


FISH = Fish()
