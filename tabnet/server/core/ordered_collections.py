"""Collections that keep an order while values come and go: sorted, queued, newest first. Pure.

Every operation takes about the same time at any size.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import OrderedDict
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from attrs import define, field

MAX_BLOCK = 512
"""How many values a block may hold before it is split."""

K = TypeVar("K")
V = TypeVar("V", bound=tuple[Any, ...])


@define
class SortedValues(Generic[V]):
    """Sorted tuples, each of them once, in blocks: a change moves the values of one block only."""

    _blocks: list[list[V]] = field(factory=list)
    """Sorted, as are their values; none is empty."""
    smallest: V | None = None
    """The smallest value; None if there is none."""

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def add(self, value: V) -> None:
        """Add a value that is not here."""
        if self.smallest is None or value < self.smallest:
            self.smallest = value
        if not self._blocks:
            self._blocks.append([value])
            return
        if value > self._blocks[-1][-1]:  # the usual case for ages: no search
            number = len(self._blocks) - 1
            self._blocks[number].append(value)
        else:
            number = self._find_block(value)
            insort(self._blocks[number], value)
        block = self._blocks[number]
        if len(block) > MAX_BLOCK:
            half = len(block) // 2
            self._blocks[number : number + 1] = [block[:half], block[half:]]

    def remove(self, value: V) -> None:
        """Remove a value; raises `KeyError` if it is not here."""
        number = self._find_block(value)
        block = self._blocks[number] if number < len(self._blocks) else []
        place = bisect_left(block, value)
        if block[place : place + 1] != [value]:
            raise KeyError(value)
        del block[place]
        if not block:
            del self._blocks[number]
        self.smallest = self._blocks[0][0] if self._blocks else None

    def list_smallest(self, count: int) -> list[V]:
        """Return the smallest values, `count` at most."""
        return list(islice(chain.from_iterable(self._blocks), count))

    def _find_block(self, value: V) -> int:
        """Return the number of the first block that does not end before `value`."""
        return bisect_left(self._blocks, value, key=lambda block: block[-1])


@define
class Deadlines:
    """One point in time for each key."""

    _sorted: SortedValues[tuple[int, str]] = field(factory=SortedValues)
    _times: dict[str, int] = field(factory=dict)
    earliest: int | None = None
    """The earliest time; None if there is none. Every command reads it, so it is no property."""

    def set(self, key: str, time: int) -> None:
        """Give the key a time, in the place of an earlier one."""
        self.discard(key)
        self._times[key] = time
        self._sorted.add((time, key))
        self._update_earliest()

    def get(self, key: str) -> int | None:
        """Return the time of a key, or None."""
        return self._times.get(key)

    def discard(self, key: str) -> None:
        """Remove the time of a key, if it has one."""
        time = self._times.pop(key, None)
        if time is not None:
            self._sorted.remove((time, key))
            self._update_earliest()

    def _update_earliest(self) -> None:
        first = self._sorted.smallest
        self.earliest = first[0] if first else None

    def pop_due(self, now: int) -> str | None:
        """Remove the earliest time, if it is not after `now`; return its key, or None."""
        first = self._sorted.smallest
        if first is None or first[0] > now:
            return None
        self.discard(first[1])
        return first[1]


@define
class Queues(Generic[K]):
    """One queue of (number, id) for each key; empty queues are dropped."""

    _queues: dict[K, SortedValues[tuple[int, str]]] = field(factory=dict)

    def add(self, key: K, number: int, id: str) -> None:
        """Add an id to the queue of that key."""
        self._queues.setdefault(key, SortedValues()).add((number, id))

    def remove(self, key: K, number: int, id: str) -> None:
        """Remove an id from the queue of that key."""
        queue = self._queues[key]
        queue.remove((number, id))
        if not queue:
            del self._queues[key]

    def find_first(self, key: K) -> tuple[int, str] | None:
        """Return the smallest number of that key with its id, or None."""
        queue = self._queues.get(key)
        return queue.smallest if queue else None


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

    def list_newest(self, kind: str | None, count: int) -> list[str]:
        """Return the newest ids of a kind, or of all kinds, newest first."""
        return list(islice(reversed(self._ids.get(kind, OrderedDict())), count))
