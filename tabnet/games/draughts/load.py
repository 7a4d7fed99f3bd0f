"""Loading positions of draughts from JSON values or a PDN FEN; errors name the wrong field."""

from __future__ import annotations

from itertools import pairwise

from tabnet.errors import quote
from tabnet.games.api import JSON
from tabnet.games.draughts.board import read_board
from tabnet.games.draughts.pdn import read_fen
from tabnet.games.draughts.state import QUIET_LIMIT, DraughtsState
from tabnet.games.draughts.view import Key
from tabnet.games.json_checks import refuse_position, require_fields


def load_position(view: JSON) -> DraughtsState:
    """Return the position of a view or of a FEN; raises `InvalidPosition`."""
    if isinstance(view, str):
        return DraughtsState(*read_board_key(*read_fen(view), "FEN"))
    if not isinstance(view, dict):
        refuse_position("", "a position is an object or the text of a FEN")
    require_fields(view, "", ("board", "turn"), ("quiet", "seen"))
    quiet = _load_quiet(view)
    history = _load_history(view, quiet)
    state = DraughtsState(
        *read_board_key(view["board"], _load_side(view, history), "board"), quiet, history[:-1]
    )
    if history and history[-1] != state.key:
        refuse_position("seen", "the last position seen is not the one on the board")
    if view["turn"] is None and state.turn is not None:
        refuse_position("turn", "the game is not over", "the seat to move: 0 is White, 1 is Black")
    return state


def read_board_key(board: JSON, side: int, field: str) -> Key:
    white, black, kings = read_board(board, field)
    return (black, white, kings, side) if side else (white, black, kings, side)


def _load_quiet(view: dict[str, JSON]) -> int:
    quiet = view.get("quiet", 0)
    if type(quiet) is not int or not 0 <= quiet <= QUIET_LIMIT:
        hint = f"an integer from 0 to {QUIET_LIMIT}"
        refuse_position("quiet", f"invalid quiet {quote(quiet)}", hint)
    return quiet


def _load_history(view: dict[str, JSON], quiet: int) -> tuple[Key, ...]:
    """Return the positions of `seen`, each a king's step after the previous one."""
    seen = view.get("seen", [])
    if not isinstance(seen, list) or not all(isinstance(text, str) for text in seen):
        refuse_position("seen", "seen is a list of positions, each the text of a FEN")
    if len(seen) > quiet + 1:
        refuse_position("seen", "more positions were seen than quiet moves made")
    keys = [read_board_key(*read_fen(text, "seen"), "seen") for text in seen]
    for before, after in pairwise(keys):
        state = DraughtsState(*before)
        following = [state.apply(move) for move in state.actions()]
        if not any(now.quiet and now.key == after for now in following):
            text = "a position seen does not follow the one before by a king's step"
            refuse_position("seen", text)
    return tuple(keys)


def _load_side(view: dict[str, JSON], history: tuple[Key, ...]) -> int:
    """Return the side to move.

    A finished game has no turn, but its last position seen has a side.
    """
    turn = view["turn"]
    if turn is None and history:
        return history[-1][3]
    if type(turn) is not int or turn not in (0, 1):
        hint = "0 is White, 1 is Black; null if the game is over, and then seen is needed"
        refuse_position("turn", f"invalid turn {quote(turn)}", hint)
    return turn
