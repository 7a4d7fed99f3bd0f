"""Checks that every kind makes on positions from users; errors name the wrong field."""

from __future__ import annotations

from typing import NoReturn

from tabnet.errors import InvalidPosition, quote
from tabnet.games.api import JSON


def refuse_position(field: str, text: str, hint: str | None = None) -> NoReturn:
    """Raise the error for a field, or for the whole position if `field` is empty."""
    raise InvalidPosition("invalid_position", text, field=field or None, hint=hint)


def require_fields(
    given: JSON, name: str, needed: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, JSON]:
    """Return `given` if it is an object with exactly these fields; `name` is its own field."""
    if isinstance(given, dict) and given.keys() == {*needed, *optional}:
        return given
    known = ", ".join(needed + optional)
    path = f"{name}." if name else ""
    if not isinstance(given, dict):
        refuse_position(name, f"{name or 'the position'} is not an object", f"with {known}")
    for field in needed:
        if field not in given:
            refuse_position(path + field, f"undefined {field}")
    for field in given:
        if field not in needed + optional:
            text = f"unknown field {quote(field)}"
            refuse_position(path + field, text, f"known are {known}")
    return given


def require_derived_fields(view: dict[str, JSON], real: dict[str, JSON], *names: str) -> None:
    """Refuse a view in which one of these fields, if there, is not what the rules say."""
    for name in names:
        if not is_equal_json(view.get(name, real[name]), real[name]):
            refuse_position(name, f"{name} of this position is not {quote(view[name])}")


def load_turn(
    view: dict[str, JSON], dice: object, colours: tuple[str, ...], *, is_over: bool
) -> int | None:
    """Return the seat to act in a game of two with dice, by default 0; None at the end."""
    if is_over:
        if view.get("turn") is not None:
            refuse_position("turn", "the game is over, so it is nobody's turn", "null")
        if dice:
            refuse_position("dice", "the game is over, so there is no throw to play", "null")
        return None
    turn = view.get("turn", 0)
    if type(turn) is not int or turn not in (0, 1):
        refuse_position("turn", "turn is not a seat", f"0 ({colours[0]}) or 1 ({colours[1]})")
    return turn


def is_equal_json(given: JSON, real: JSON) -> bool:
    """Compare values; true differs from 1, and 1 from 1.0."""
    if isinstance(given, list) and isinstance(real, list):
        return len(given) == len(real) and all(map(is_equal_json, given, real))
    return type(given) is type(real) and bool(given == real)
