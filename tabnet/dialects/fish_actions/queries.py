"""The responses to queries of Fish clients, from the values of a match. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, cast

from tabnet.dialects.fish_actions.refusals import (
    INVALID_COORDINATE,
    TOURNAMENT_ERROR,
    UNKNOWN_COLOR,
    ActionError,
    Fields,
    read_integer,
)
from tabnet.games.fish import FISH, FishMove, FishState, Place, Slide, Spot
from tabnet.games.fish.refusals import explain_illegal_action
from tabnet.games.fish.view import dump_board
from tabnet.server.core.matches.match import Match

Response = dict[str, Any]


def format_state(state: FishState, out: Collection[int]) -> Response:
    """Return a STATE: the players in turn order, and the board.

    The players on the seats `out` have no penguins, also if the game ended as they left.
    """
    sea = state.sea
    players = [
        {
            "color": color,
            "score": state.scores[seat],
            "places": [
                {"row": cell // sea.cols, "col": cell % sea.cols}
                for cell in (() if seat in out else state.penguins_of(seat))
            ],
        }
        for seat, color in enumerate(sea.colours)
    ]
    return {"players": players, "board": dump_board(sea, state.board)}


def get_state(match: Match, _seat: int, _fields: Fields) -> Response:
    return {"current_state": format_state(fish_state(match), match.out)}


def check_turn(match: Match, _seat: int, _fields: Fields) -> Response:
    return {"color": None if match.turn is None else fish_state(match).sea.colours[match.turn]}


def is_game_over(match: Match, _seat: int, _fields: Fields) -> Response:
    return {"is_game_over": match.result is not None}


def check_placement(match: Match, seat: int, fields: Fields) -> Response:
    return _check(match, seat, Place(read_place(fields, "row", "col")))


def check_move(match: Match, seat: int, fields: Fields) -> Response:
    start = read_place(fields, "start_row", "start_col")
    end = read_place(fields, "end_row", "end_col")
    return _check(match, seat, Slide(start, end))


def _check(match: Match, seat: int, move: FishMove) -> Response:
    if match.turn != seat:
        return {"is_valid": False}
    state = fish_state(match)
    refusal = explain_illegal_action(move, state.sea, state.board, seat, state.places)
    return {"is_valid": refusal is None}


def get_moves_for_color(match: Match, _seat: int, fields: Fields) -> Response:
    color, colors = fields.get("color"), fish_state(match).sea.colours
    if type(color) is not str:
        raise ActionError(TOURNAMENT_ERROR, "color is missing or not a string")
    if color not in colors:
        hint = " ".join(colors)
        raise ActionError(UNKNOWN_COLOR, "this color is not in the game", hint=hint)
    return _list_moves(match, colors.index(color))


def get_moves_for_location(match: Match, _seat: int, fields: Fields) -> Response:
    start = read_place(fields, "row", "col")
    cell = require_tile(match, start)
    for seat, cells in enumerate(fish_state(match).places):
        if cells is not None and cell in cells:
            return _list_moves(match, seat, start)
    return {"reachable_locations": []}


def _list_moves(match: Match, seat: int, start: Spot | None = None) -> Response:
    """Return the moves of a player, or only those from one place; none before and after play."""
    state = fish_state(match)
    moves = () if match.turn is None or state.is_placing else FISH.could_play(state, seat)
    return {
        "reachable_locations": [
            {"start": move.start._asdict(), "end": move.end._asdict()}
            for move in cast(tuple[Slide, ...], moves)
            if start in (None, move.start)
        ]
    }


def fish_state(match: Match) -> FishState:
    """Return the position of a match of Fish."""
    return cast(FishState, match.state)


def require_tile(match: Match, place: Spot) -> int:
    """Return the cell of a tile; raise `ActionError` for a hole and for a place off the board."""
    state = fish_state(match)
    cell = state.sea.find_cell(place)
    if cell is None:
        hint = f"rows 0 to {state.sea.rows - 1}, cols 0 to {state.sea.cols - 1}"
        raise ActionError(INVALID_COORDINATE, f"{place} is not on the board", hint=hint)
    if not state.board[cell]:
        raise ActionError(INVALID_COORDINATE, f"there is a hole at {place}")
    return cell


def read_place(fields: Fields, row: str, col: str) -> Spot:
    """Return the place in two fields of a query; raise `ActionError`."""
    return Spot(read_integer(fields, row), read_integer(fields, col))


QUERIES: Mapping[str, Callable[[Match, int, Fields], Response]] = {
    each.__name__: each
    for each in (
        check_placement,
        check_move,
        check_turn,
        get_state,
        get_moves_for_color,
        get_moves_for_location,
        is_game_over,
    )
}
"""The query of each action: it takes the match, the seat that asks, and the fields."""
