"""A growing sequence whose older values stay valid. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


class History(Sequence[T_co]):
    """An immutable sequence; appending to it costs the same at any length.

    A history and those that continue it share one list, and each knows how many of its items are
    its own. Only a history that has been continued once already is copied to be continued again.
    """

    __slots__ = ("_items", "length")
    __hash__ = None  # type: ignore[assignment] # it is equal to others by its items

    def __init__(self, items: Iterable[T_co] = ()) -> None:
        self._items = list(items)
        self.length = len(self._items)

    def append(self: History[T_co], item: T_co) -> History[T_co]:  # type: ignore[misc] # a new value
        """Return the history that goes on with `item`."""
        items = self._items
        if len(items) != self.length:
            items = items[: self.length]
        items.append(item)
        longer: History[T_co] = History.__new__(History)
        longer._items, longer.length = items, self.length + 1
        return longer

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> T_co: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T_co]: ...

    def __getitem__(self, index: int | slice) -> T_co | Sequence[T_co]:
        if isinstance(index, slice):
            return [self._items[number] for number in range(*index.indices(self.length))]
        if index < 0:
            index += self.length
        if 0 <= index < self.length:
            return self._items[index]
        raise IndexError("the history has no such item")

    def list_from(self, number: int) -> list[T_co]:
        """Return the items from that number on."""
        return self._items[number : self.length]

    def __iter__(self) -> Iterator[T_co]:
        return islice(self._items, self.length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and list(self) == list(other)
