"""Draughts, as the English and the Americans (who call it checkers) play it.

A move is its whole route. A capture that is possible must be made, and made to its end, but which
one is free. A side that cannot move has lost; the same position for the third time, or 40 moves of
each side without a capture or a man moved, are a draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

from attrs import frozen

from tabnet.errors import InvalidMove, InvalidOptions, shown
from tabnet.games.api import JSON, Game, Move
from tabnet.games.draughts_board import COLOURS, ROUTE_HINT, START, DraughtsMove, read_board
from tabnet.games.draughts_state import QUIET_LIMIT, DraughtsState, Key
from tabnet.games.pdn import read_fen
from tabnet.games.written import bad, fields_of

__all__ = ["DRAUGHTS", "Draughts", "DraughtsMove", "DraughtsOptions", "DraughtsState"]


@frozen
class DraughtsOptions:
    """Draughts takes no options."""


class Draughts(Game):
    """Draughts as a `Game`: two players, White and Black, and White begins."""

    kind = "draughts"
    title = "Draughts"
    seats = range(2, 3)
    colours = COLOURS
    options = DraughtsOptions
    view_fields = ("board", "turn", "quiet", "seen")

    def start(self, options: Any = None, seats: int = 2, layout: JSON = None) -> DraughtsState:  # noqa: ARG002
        """Twelve men on each side and White to move."""
        if seats not in self.seats or layout is not None:
            raise InvalidOptions("invalid_option", "draughts is for two, and deals no layout")
        return DraughtsState(*_key(START, 0, "board"))

    def load(self, view: JSON) -> DraughtsState:
        """The position of a view, or of a PDN FEN such as `W:W21,K22:B1-4`.

        `quiet` and `seen` need not be written: then nothing is known of what went before.
        """
        if isinstance(view, str):
            return DraughtsState(*_key(*read_fen(view), "FEN"))
        if not isinstance(view, dict):
            raise bad("", "a position is an object or the text of a FEN")
        fields_of(view, "", ("board", "turn"), ("quiet", "seen"))
        quiet = _quiet(view)
        history = _history(view, quiet)
        state = DraughtsState(
            *_key(view["board"], _side(view, history), "board"), quiet, history[:-1]
        )
        if history and history[-1] != state.key:
            raise bad("seen", "the last position seen is not the one on the board")
        if view["turn"] is None and state.turn is not None:
            raise bad("turn", "the game is not over", "the seat to move: 0 is White, 1 is Black")
        return state

    def parse_move(self, fields: Mapping[str, JSON]) -> DraughtsMove:
        """`route`: every square that the piece touches."""
        for name in fields:
            if name != "route":
                hint = "draughts takes route"
                raise InvalidMove("invalid_move", f"unknown field '{name}'", field=name, hint=hint)
        if "route" not in fields:
            raise InvalidMove("invalid_move", "undefined route", field="route", hint=ROUTE_HINT)
        route = fields["route"]
        return DraughtsMove(tuple(route) if isinstance(route, list) else ())

    def dump_move(self, move: Move) -> dict[str, JSON]:
        """The inverse of `parse_move`."""
        return {"route": list(cast(DraughtsMove, move).route)}


def _key(board: JSON, side: int, field: str) -> Key:
    white, black, kings = read_board(board, field)
    return (black, white, kings, side) if side else (white, black, kings, side)


def _quiet(view: dict[str, JSON]) -> int:
    quiet = view.get("quiet", 0)
    if type(quiet) is not int or not 0 <= quiet <= QUIET_LIMIT:
        raise bad("quiet", f"invalid quiet {shown(quiet)}", f"an integer from 0 to {QUIET_LIMIT}")
    return quiet


def _history(view: dict[str, JSON], quiet: int) -> tuple[Key, ...]:
    """The positions of `seen`, each a king's step after the one before."""
    seen = view.get("seen", [])
    if not isinstance(seen, list) or not all(isinstance(text, str) for text in seen):
        raise bad("seen", "seen is a list of positions, each the text of a FEN")
    if len(seen) > quiet + 1:
        raise bad("seen", "more positions were seen than quiet moves made")
    keys = [_key(*read_fen(text, "seen"), "seen") for text in seen]
    for before, after in pairwise(keys):
        state = DraughtsState(*before)
        following = [state.apply(move) for move in state.actions()]
        if not any(now.quiet and now.key == after for now in following):
            raise bad("seen", "a position seen does not follow the one before by a king's step")
    return tuple(keys)


def _side(view: dict[str, JSON], history: tuple[Key, ...]) -> int:
    """Whose move it is. A finished game has no turn, but its last position seen has a side."""
    turn = view["turn"]
    if turn is None and history:
        return history[-1][3]
    if type(turn) is not int or turn not in (0, 1):
        hint = "0 is White, 1 is Black; null if the game is over, and then seen is needed"
        raise bad("turn", f"invalid turn {shown(turn)}", hint)
    return turn


DRAUGHTS = Draughts()
