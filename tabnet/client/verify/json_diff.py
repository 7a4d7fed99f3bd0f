"""Where what an update tells differs from what is right, in words. Pure."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, TypeAlias

from tabnet.errors import NotVerified, shown


class Absent:
    """Stands for a field that is not there."""


ABSENT = Absent()

Difference: TypeAlias = tuple[str, Any, Any]
"""A path like `pieces[3].color`, what is told there, and what is right."""


def check(seq: int, told: Any, right: Any, path: str = "") -> None:
    """Raise `NotVerified` for the first value of `told`, however deep, that is not right."""
    if found := difference(told, right, path):
        raise not_verified(seq, found[0], found[1], quoted(found[2]))


def not_verified(seq: int, path: str, told: Any, right: str) -> NotVerified:
    """The error for one value; `right` is written as it shall be read."""
    return NotVerified(seq, f"{path} is {quoted(told)}, and should be {right}", field=path)


def difference(told: Any, right: Any, path: str = "") -> Difference | None:
    """The first value that is not the same; true is not 1, nor 1 the same as 1.0."""
    if type(told) is not type(right):
        return path, told, right
    if isinstance(right, dict):
        names = dict.fromkeys((*right, *told))
        parts = [(_field(path, name), told, right, name) for name in names]
        return _first((at, a.get(name, ABSENT), b.get(name, ABSENT)) for at, a, b, name in parts)
    if isinstance(right, list):
        pairs = zip_longest(told, right, fillvalue=ABSENT)
        return _first((f"{path}[{i}]", one, other) for i, (one, other) in enumerate(pairs))
    return None if told == right else (path, told, right)


def _first(parts: Any) -> Difference | None:
    found = (difference(told, right, path) for path, told, right in parts)
    return next(filter(None, found), None)


def _field(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def quoted(value: Any) -> str:
    """A JSON value as a sentence repeats it."""
    return "absent" if value is ABSENT else shown(value)
