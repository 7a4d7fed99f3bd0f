"""The first difference between two JSON values, in words. Pure."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, NoReturn, TypeAlias

from tabnet.errors import NotVerified, quote


class Absent:
    """Stands for a missing field."""


ABSENT = Absent()

Difference: TypeAlias = tuple[str, Any, Any]
"""A path like `pieces[3].color`, the value found there, and the right value."""


def require_equal(seq: int, found: Any, right: Any, path: str = "") -> None:
    """Raise `NotVerified` for the first value inside `found` that is not right."""
    if found := find_first_difference(found, right, path):
        refuse_value(seq, found[0], found[1], quote_json(found[2]))


def refuse_value(seq: int, path: str, found: Any, right: str) -> NoReturn:
    """Raise `NotVerified` for one value; `right` is the text of the right value."""
    raise NotVerified(seq, f"{path} is {quote_json(found)}, and should be {right}", field=path)


def find_first_difference(found: Any, right: Any, path: str = "") -> Difference | None:
    """Return the first value that differs; true differs from 1, and 1 from 1.0."""
    if type(found) is not type(right):
        return path, found, right
    if isinstance(right, dict):
        start = f"{path}." if path else ""
        names = dict.fromkeys((*right, *found))
        parts = [(start + n, found.get(n, ABSENT), right.get(n, ABSENT)) for n in names]
    elif isinstance(right, list):
        pairs = zip_longest(found, right, fillvalue=ABSENT)
        parts = [(f"{path}[{number}]", *pair) for number, pair in enumerate(pairs)]
    else:
        return None if found == right else (path, found, right)
    differences = (find_first_difference(one, other, at) for at, one, other in parts)
    return next(filter(None, differences), None)


def quote_json(value: Any) -> str:
    """Return a JSON value as error messages show it."""
    return "absent" if value is ABSENT else quote(value)
