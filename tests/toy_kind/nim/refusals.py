"""The reasons why something cannot be done in Nim."""

from __future__ import annotations

from tabnet.errors import IllegalMove

CODES = {"too_many": "the move takes more stones than the die allows"}
REFUSALS = {
    "game_over": "the game is over",
    "must_roll": "throw the die first",
    "must_move": "the die is thrown: take stones",
    **CODES,
}


def refused(code: str, hint: str | None = None) -> IllegalMove:
    """Return the error for one of `REFUSALS`."""
    return IllegalMove(code, REFUSALS[code], hint=hint)
