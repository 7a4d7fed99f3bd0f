"""Checks that every kind makes on positions from users; errors name the wrong field."""

from __future__ import annotations

from tabnet.errors import InvalidPosition, shown
from tabnet.games.api import JSON


def position_error(field: str, text: str, hint: str | None = None) -> InvalidPosition:
    """Return the error for a field, or for the whole position if `field` is empty."""
    return InvalidPosition("invalid_position", text, field=field or None, hint=hint)


def require_fields(
    given: JSON, name: str, needed: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, JSON]:
    """Return `given` if it is an object with exactly these fields."""
    known = needed + optional
    if not isinstance(given, dict):
        raise position_error(
            name, f"{name or 'the position'} is not an object", f"with {', '.join(known)}"
        )
    for field in needed:
        if field not in given:
            raise position_error(f"{name}.{field}" if name else field, f"undefined {field}")
    for field in given:
        if field not in known:
            hint = f"known are {', '.join(known)}"
            raise position_error(
                f"{name}.{field}" if name else field, f"unknown field {shown(field)}", hint
            )
    return given


def is_equal_json(given: JSON, real: JSON) -> bool:
    """Compare values; true differs from 1, and 1 from 1.0."""
    if isinstance(given, list) and isinstance(real, list):
        return len(given) == len(real) and all(map(is_equal_json, given, real))
    return type(given) is type(real) and bool(given == real)
