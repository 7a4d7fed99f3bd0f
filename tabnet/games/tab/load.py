"""Loading positions of Tab from JSON values; errors name the wrong field."""

from __future__ import annotations

from functools import cache
from typing import NoReturn

from tabnet.errors import quote
from tabnet.games.api import JSON
from tabnet.games.json_checks import (
    is_equal_json,
    load_turn,
    refuse_position,
    require_derived_fields,
    require_fields,
)
from tabnet.games.tab.board import (
    COLOURS,
    EMPTY,
    HOME,
    IN_MOTION,
    KEEP_PLAYING,
    LAST,
    OWN,
    REACHED,
    SEAT,
    UNMOVED,
    VALUE,
    WEIGHTS,
    is_size,
    mirror_row,
)
from tabnet.games.tab.state import TabState
from tabnet.games.tab.view import PIECES

DICE_FIELDS = ("stickValues", "value", "keepPlaying")
FOUR_SIDES = [bool] * 4
PIECE_FIELDS = ("color", "inMotion", "reachedLastRow")
BYTES = {tuple(piece.values()): byte for byte, piece in PIECES.items()}


def _load_board(cells: JSON) -> bytes:
    """Return the board of a position: the inverse of `dump_board`, for possible boards only."""
    if not isinstance(cells, list) or len(cells) % 4 or not is_size(len(cells) // 4):
        refuse_position(
            "pieces", "the pieces are no list of 4 x size cells", "size is odd, 7 to 15"
        )
    size = len(cells) // 4
    board = bytes(
        EMPTY if piece is None else _load_piece(cell, size, piece)
        for cell, piece in enumerate(cells)
    )
    for seat, colour in enumerate(COLOURS):
        if sum(map(board.count, OWN[seat])) > size:
            refuse_position("pieces", f"there are more than {size} {colour} pieces")
    if not any(board):
        refuse_position("pieces", "there is no piece on the board")
    return board


def _load_piece(cell: int, size: int, piece: JSON) -> int:
    byte = _find_byte(piece)
    if byte is None:
        _refuse_piece(cell, piece)
    problem = _explain_misplacement(byte, cell, size)
    if problem:
        refuse_position(f"pieces[{cell}]", f"the piece on cell {cell} {problem}")
    return byte


def _find_byte(piece: JSON) -> int | None:
    """Return the byte of a piece, or None if it is not a piece. Bots need it 20 times a move."""
    if not isinstance(piece, dict) or len(piece) != 3:
        return None
    colour = piece.get("color")
    in_motion, reached = piece.get("inMotion"), piece.get("reachedLastRow")
    if type(colour) is not str or type(in_motion) is not bool or type(reached) is not bool:
        return None
    return BYTES.get((colour, in_motion, reached))


def _refuse_piece(cell: int, piece: JSON) -> NoReturn:
    name = f"pieces[{cell}]"
    require_fields(piece, name, (), PIECE_FIELDS)
    for flag in ("inMotion", "reachedLastRow"):
        if not isinstance(piece.get(flag), bool):
            text = f"{flag} of the piece on cell {cell} is not true or false"
            refuse_position(f"{name}.{flag}", text)
    if piece.get("color") not in COLOURS:
        refuse_position(f"{name}.color", f"the piece on cell {cell} is not Blue or Red")
    text = f"the piece on cell {cell} reached the last row but is not in motion"
    refuse_position(name, text)


@cache
def _explain_misplacement(byte: int, cell: int, size: int) -> str | None:
    """Return why such a piece cannot have reached that cell, or None."""
    seat, stage = divmod(byte, SEAT)
    row, column = mirror_row(cell // size, seat), cell % size
    if stage == UNMOVED and row != HOME:
        return "is not in motion but out of its home row"
    if stage == REACHED and row == HOME:
        return "has reached the last row, and none comes back to its home row"
    if stage == IN_MOTION and row == LAST:
        return "stands in its last row, so it has reached it"
    if stage == IN_MOTION and row == HOME and column == 0:
        return "is in motion, and none moves to the first cell of its home row"
    return None


def load_dice(dice: JSON) -> int | None:
    """Return a throw: the inverse of `dump_dice`; the sticks or the value alone are enough."""
    if dice is None:
        return None
    require_fields(dice, "dice", (), DICE_FIELDS)
    if "stickValues" in dice:
        sticks = _load_sticks(dice["stickValues"])
    else:
        sticks = _find_sticks(dice.get("value"))
    for name, real in (("value", VALUE[sticks]), ("keepPlaying", KEEP_PLAYING[sticks])):
        if name in dice and dice[name] is not real and not is_equal_json(dice[name], real):
            refuse_position(f"dice.{name}", f"{name} of this throw is not {quote(dice[name])}")
    return sticks


def _load_sticks(sides: JSON) -> int:
    if not isinstance(sides, list) or [*map(type, sides)] != FOUR_SIDES:
        refuse_position("dice.stickValues", "stickValues are not four of true or false")
    first, second, third, fourth = sides
    return int(first | second << 1 | third << 2 | fourth << 3)


def _find_sticks(value: JSON) -> int:
    found = [sticks for sticks in WEIGHTS if is_equal_json(VALUE[sticks], value)]
    if not found:
        text = "the dice have no value that sticks can have"
        refuse_position("dice.value", text, "1, 2, 3, 4 or 6")
    return found[0]


def load_position(view: JSON) -> TabState:
    """Return the position of a view; raises `InvalidPosition`."""
    require_fields(view, "", (), ("pieces", "turn", "dice", "mustPass"))
    board = _load_board(view.get("pieces"))
    dice = view.get("dice")
    sticks = load_dice(dice)
    is_over = any(own.isdisjoint(board) for own in OWN)
    state = TabState(board, load_turn(view, dice, COLOURS, is_over=is_over), sticks)
    require_derived_fields(view, {"mustPass": state.must_pass}, "mustPass")
    return state
