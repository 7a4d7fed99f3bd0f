"""Fish: penguins slide over the ice and collect the tiles that they leave.

Two to four players place their penguins in turns. Then each turn moves one penguin, any distance
along a line of free tiles. The player collects the tile that the penguin leaves, with its fish. A
player who cannot move is skipped. When nobody can move, the player with the most fish wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, cast

from attrs import evolve

from tabnet.errors import InvalidMove, InvalidPosition
from tabnet.games.api import JSON, Action, Game, Move, State
from tabnet.games.fish.board import COLOURS, FishMove, Place, Sea, Slide, Spot
from tabnet.games.fish.check_positions import CHECK_POSITIONS
from tabnet.games.fish.deal import deal_board
from tabnet.games.fish.drawing import STYLES, draw_in_terminal
from tabnet.games.fish.fields import EXAMPLES, FIELDS, FishOptions, refuse_option
from tabnet.games.fish.load import load_position, read_board, read_spot
from tabnet.games.fish.refusals import CODES
from tabnet.games.fish.sentences import ENDINGS, describe_move
from tabnet.games.fish.state import FishState, give_turn_from
from tabnet.games.fish.typed_moves import PLACING, list_cells, read_move
from tabnet.games.terminal import TerminalGame

TAKES = "Fish takes place, or from and to"


class Fish(Game):
    """Fish as a `Game`: two to four players, and red begins."""

    kind = "fish"
    name = "Fish"
    seats = range(2, 5)
    colours = COLOURS
    options = FishOptions
    view_fields = ("state", "turn", "penguins", "out")
    board_fields = ("state",)
    uses_chance = True
    terminal = TerminalGame(
        draw=draw_in_terminal,
        styles=STYLES,
        list_cells=list_cells,
        read_move=read_move,
        placing=PLACING,
        describe_move=describe_move,
        endings=ENDINGS,
    )
    check_positions = CHECK_POSITIONS
    fields = FIELDS
    examples = EXAMPLES
    codes = CODES

    def require(self, options: Any, seats: int) -> None:
        """Raise `InvalidOptions` unless there is a tile for every penguin."""
        super().require(options, seats)
        wanted = seats * _count_penguins_per_player(seats)
        if options.tiles < wanted:
            text = f"{wanted} penguins need as many tiles; there are {max(0, options.tiles)}"
            refuse_option("rows", text)

    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> FishState:
        options = options or FishOptions()
        self.require(options, seats)
        if (layout is not None) != options.is_dealt:
            if layout is None:
                hint = "fish without holes, or a board, leave nothing to chance"
                refuse_option("layout", "this board is dealt, and no layout is given", hint)
            refuse_option("layout", "with this board nothing is dealt")
        rows = options.board or ((options.fish,) * options.cols,) * options.rows
        if layout is not None:
            rows = read_board(layout, "layout")
        sea = Sea(len(rows), len(rows[0]), _count_penguins_per_player(seats), COLOURS[:seats])
        board = bytes(fish for row in rows for fish in row)
        return give_turn_from(sea, board, ((),) * seats, (0,) * seats, 0)

    def deal(self, options: Any, seats: int, next_byte: Callable[[], int]) -> JSON:  # noqa: ARG002
        return deal_board(options, next_byte)

    def load(self, view: JSON) -> FishState:
        return load_position(view)

    def could_play(self, state: State, seat: int) -> tuple[Action, ...]:
        """Return the moves of any seat's penguins, whoever is to act."""
        fish = cast(FishState, state)
        if fish.turn is None or fish.places[seat] is None:
            return ()
        return evolve(fish, turn=seat).actions()

    def parse_move(self, fields: Mapping[str, JSON]) -> FishMove:
        """Return the move of `place`, or of `from` and `to`: objects with `row` and `col`."""
        names = set(fields)
        for name in sorted(names - {"place", "from", "to"}):
            _refuse_move(name, f"unknown field '{name}'")
        if names == {"place"}:
            return Place(_parse_spot(fields, "place"))
        if "place" in names:
            _refuse_move("place", "place stands alone")
        return Slide(_parse_spot(fields, "from"), _parse_spot(fields, "to"))

    def dump_move(self, move: Move) -> dict[str, JSON]:
        if isinstance(move, Place):
            return {"place": move.at._asdict()}
        slide = cast(Slide, move)
        return {"from": slide.start._asdict(), "to": slide.end._asdict()}


def _count_penguins_per_player(seats: int) -> int:
    return 6 - seats


def _parse_spot(fields: Mapping[str, JSON], name: str) -> Spot:
    if name not in fields:
        _refuse_move(name, f"undefined {name}")
    try:
        return read_spot(fields[name], name)
    except InvalidPosition as error:
        _refuse_move(error.field, error.text)


def _refuse_move(name: str | None, text: str) -> NoReturn:
    raise InvalidMove(text, field=name, hint=TAKES) from None


FISH = Fish()
