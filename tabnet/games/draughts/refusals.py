"""The reasons why a move of draughts is illegal; they name the squares and the right moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tabnet.errors import IllegalMove, get_meanings
from tabnet.games.draughts.board import BITS, COLOURS

CODES: dict[str, str] = {
    **get_meanings("no_piece", "wrong_distance", "wrong_direction"),
    "must_capture": "a capture is possible and must be made",
    "must_continue": "a capture that can go on must go on",
    "too_far": "a route goes on after the move has ended",
    **get_meanings("occupied"),
    "no_capture": "a jump has no piece of the opponent's to jump over, or jumps one twice",
}

Route: TypeAlias = tuple[str, ...]

JUMPED = "x"


def explain_illegal_route(
    board: str, side: int, legal: Sequence[Route], route: Route
) -> IllegalMove:
    """Return the error for `route`, which is none of the `legal` ones on `board` for `side`."""
    pieces = dict(zip(BITS, board, strict=True))
    piece = pieces[route[0]]
    if piece not in ("wW", "bB")[side]:
        colour = COLOURS[side].lower()
        return IllegalMove("no_piece", f"there is no {colour} piece on {route[0]}")
    pieces[route[0]] = "0"
    for done in range(1, len(route)):
        if route[:done] in legal:
            return _explain_long_route(piece, route[:done])
        at, to = route[done - 1 : done + 1]
        problem = _explain_illegal_step(pieces, piece, at, to)
        if problem:
            return problem
        if _find_square_between(at, to):
            pieces[_find_square_between(at, to)] = JUMPED
        elif done > 1:
            return _explain_short_route(legal, route[:done])
        elif _find_square_between(*legal[0][:2]):
            return IllegalMove(
                "must_capture", f"a capture is possible and must be made: {_list_routes(legal)}"
            )
    return _explain_short_route(legal, route)


def _explain_illegal_step(
    pieces: dict[str, str], piece: str, at: str, to: str
) -> IllegalMove | None:
    """Return why `piece` cannot go from `at` to `to`, or None."""
    across, along = ord(to[0]) - ord(at[0]), ord(to[1]) - ord(at[1])
    if abs(across) != abs(along) or abs(along) not in (1, 2):
        text = f"{at} {to} is neither a step nor a jump on a diagonal"
        return IllegalMove("wrong_distance", text)
    if (piece == "w" and along < 0) or (piece == "b" and along > 0):
        way = "up" if piece == "w" else "down"
        text = f"a man moves {way} the board only, not from {at} to {to}"
        return IllegalMove("wrong_direction", text)
    if pieces[to] != "0":
        return IllegalMove("occupied", f"{to} is not empty")
    over = _find_square_between(at, to)
    if over and pieces[over] == JUMPED:
        return IllegalMove("no_capture", f"the piece on {over} has been jumped already")
    colour = COLOURS[piece in "wW"].lower()
    if over and pieces[over].lower() != colour[0]:
        return IllegalMove("no_capture", f"there is no {colour} piece to jump over on {over}")
    return None


def _find_square_between(at: str, to: str) -> str:
    """Return the square that a jump passes over, or "" for a step."""
    if abs(ord(to[1]) - ord(at[1])) < 2:
        return ""
    return chr((ord(at[0]) + ord(to[0])) // 2) + chr((ord(at[1]) + ord(to[1])) // 2)


def _explain_long_route(piece: str, route: Route) -> IllegalMove:
    crowned = ", where the man is crowned" if piece in "wb" and route[-1][1] in "18" else ""
    return IllegalMove("too_far", f"the move ends on {route[-1]}{crowned}: {' '.join(route)}")


def _explain_short_route(legal: Sequence[Route], route: Route) -> IllegalMove:
    longer = [whole for whole in legal if whole[: len(route)] == route]
    return IllegalMove(
        "must_continue", f"the capture must go on from {route[-1]}: {_list_routes(longer)}"
    )


def _list_routes(routes: Sequence[Route]) -> str:
    listed = " or ".join(" ".join(route) for route in routes[:4])
    return f"{listed} or others" if len(routes) > 4 else listed
