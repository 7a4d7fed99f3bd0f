"""Ids in the order in which they came, so that listing the newest needs no search. Pure."""

from __future__ import annotations

from collections import OrderedDict
from itertools import islice

from attrs import define, field


@define
class NewestIds:
    """The ids of games, of each kind and of all."""

    _ids: dict[str | None, OrderedDict[str, None]] = field(factory=dict)
    """By kind; those of all kinds under None.

    In a plain dict the last key is not found at once after many others were deleted.
    """

    def add(self, kind: str, id: str) -> None:
        """Add the id of a game of that kind."""
        for key in (None, kind):
            self._ids.setdefault(key, OrderedDict())[id] = None

    def remove(self, kind: str, id: str) -> None:
        """Remove an id that was added."""
        for key in (None, kind):
            del self._ids[key][id]

    def newest(self, kind: str | None, count: int) -> list[str]:
        """Return the newest ids of a kind, or of all kinds, newest first."""
        return list(islice(reversed(self._ids.get(kind, OrderedDict())), count))
