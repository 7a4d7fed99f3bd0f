"""The reasons why an action of Tab is refused."""

from __future__ import annotations

from tabnet.errors import IllegalMove, get_meanings

CODES: dict[str, str] = {
    **get_meanings("no_piece", "own_piece"),
    "first_move": "a piece moves for the first time only with a throw of 1",
    "blocked_row": "a piece in the last row stays while own pieces stand in the home row",
    **get_meanings("wrong_distance"),
}

REFUSALS = {
    "game_over": "the game is over",
    "must_roll": "You must roll the dice first",
    "must_move": "You already rolled the dice and have valid moves",
    "must_roll_again": "You already rolled the dice but can roll it again",
    "must_pass": "You already rolled the dice and have no valid moves: pass",
    "no_piece": "there is no piece of yours on this cell",
    "first_move": "the first move of a piece needs a throw of 1 (Tab)",
    "blocked_row": "a piece in the last row stays there while you have pieces in your home row",
    "wrong_distance": "Invalid move: must play the dice's value",
    "own_piece": "cannot capture to your own piece",
}


def make_refusal(code: str, hint: str | None = None) -> IllegalMove:
    return IllegalMove(code, REFUSALS[code], hint=hint)


def list_targets(targets: tuple[int, ...]) -> str:
    """Return one destination or two as hints name them."""
    return f"goes to {' or '.join(map(str, targets))}"
