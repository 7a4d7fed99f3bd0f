"""Loading positions of Plakoto from JSON values; errors name the wrong field."""

from __future__ import annotations

from tabnet.errors import quote
from tabnet.games.api import JSON
from tabnet.games.json_checks import (
    is_equal_json,
    load_turn,
    refuse_position,
    require_derived_fields,
    require_fields,
)
from tabnet.games.plakoto.board import (
    CHECKERS,
    COLOURS,
    COUNT,
    FIRST,
    HOME,
    LAST,
    OFF,
    PINNING,
    START,
    THEIRS,
    THEIRS_OFF,
    find_ending,
    turned,
)
from tabnet.games.plakoto.state import PlakotoState
from tabnet.games.plakoto.view import VIEW_FIELDS


def _load_board(view: dict[str, JSON]) -> bytes:
    """Return the board of a position: the inverse of `dump_board`; `won` is optional."""
    points = view.get("points")
    if not isinstance(points, list) or len(points) != LAST:
        refuse_position("points", f"the points are no list of {LAST}")
    board = bytearray(len(START))
    for point, held in enumerate(points, FIRST):
        board[point] = _load_point(point, held)
    for seat, colour in enumerate(COLOURS):
        left = sum(_count_checkers(byte, seat) for byte in board[FIRST : LAST + 1])
        if left > CHECKERS:
            text = f"there are {left} checkers of {colour}, more than {CHECKERS}"
            refuse_position("points", text)
        off = CHECKERS - left
        board[THEIRS_OFF if seat else OFF] = off and off + THEIRS * seat
    _check_off(view, board)
    return bytes(board)


def _load_point(point: int, held: JSON) -> int:
    if held is None:
        return 0
    name = f"points[{point - FIRST}]"
    require_fields(held, name, (), ("owner", "count", "pinned"))
    owner, count, pinned = held.get("owner"), held.get("count"), held.get("pinned", False)
    if owner not in COLOURS:
        refuse_position(f"{name}.owner", f"the owner of point {point} is not White or Black")
    if type(count) is not int or count not in range(1, CHECKERS + 1):
        refuse_position(f"{name}.count", f"the count of point {point} is not 1 to {CHECKERS}")
    if type(pinned) is not bool:
        refuse_position(f"{name}.pinned", f"pinned of point {point} is not true or false")
    seat = COLOURS.index(owner)
    if pinned and point == (LAST if seat else FIRST):
        text = f"{owner} starts on {point} and never comes back to pin there"
        refuse_position(f"{name}.pinned", text)
    return count + THEIRS * seat + PINNING * pinned


def _count_checkers(byte: int, seat: int) -> int:
    return byte & COUNT if (byte & THEIRS > 0) == seat else byte & PINNING > 0


def _check_off(view: dict[str, JSON], board: bytearray) -> None:
    off = [board[OFF] & COUNT, board[THEIRS_OFF] & COUNT]
    if not is_equal_json(view.get("off", off), off):
        text = f"off of this position is not {quote(view['off'])}"
        refuse_position("off", text, f"{off}: each side has {CHECKERS} checkers")
    for seat, colour in enumerate(COLOURS):
        own = turned(bytes(board)) if seat else bytes(board)
        if off[seat] and any(_count_checkers(byte, 0) for byte in own[FIRST : OFF - HOME]):
            last = f"{HOME} to 1" if seat else f"{OFF - HOME} to {LAST}"
            text = f"{colour} has borne off, so all the others are on {last}"
            refuse_position("points", text)
    if off == [CHECKERS, CHECKERS]:
        refuse_position("points", "there is no checker on the board")


def load_position(view: JSON) -> PlakotoState:
    """Return the position of a view; raises `InvalidPosition`."""
    require_fields(view, "", (), VIEW_FIELDS)
    board = _load_board(view)
    dice = _load_dice(view.get("dice"))
    turn = load_turn(view, dice, COLOURS, is_over=find_ending(board) is not None)
    state = PlakotoState(turned(board) if turn else board, turn, dice)
    require_derived_fields(view, state.view(), "won", "mustPass")
    return state


def _load_dice(dice: JSON) -> tuple[int, ...]:
    """Return the rest of a throw: one die, two, or three or four equal ones."""
    if dice is None:
        return ()
    if (
        not isinstance(dice, list)
        or not 1 <= len(dice) <= 4
        or any(type(die) is not int or die not in range(1, 7) for die in dice)
        or (len(dice) > 2 and len(set(dice)) > 1)
    ):
        refuse_position(
            "dice",
            "the dice are not what can be left of a throw",
            "null, or like [5], [6,5], [3,3,3,3]: 1 to 6, four of a double",
        )
    return tuple(sorted(dice, reverse=True))
