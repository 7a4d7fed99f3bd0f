"""A history: older values stay as they are when newer ones grow."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabnet.server.core.matches.history import History


def test_a_history_equals_a_list() -> None:
    history = History("abcd")
    assert (len(history), list(history), history[0], history[-1]) == (4, [*"abcd"], "a", "d")
    assert history[1:] == ["b", "c", "d"]
    assert history[::-2] == ["d", "b"]
    assert list(reversed(history)) == [*"dcba"]
    assert history == History("abcd")
    assert history != History("abc")
    assert history != [*"abcd"]
    for index in (4, -5):
        with pytest.raises(IndexError):
            history[index]


@given(st.lists(st.integers(0, 30), max_size=40))
def test_earlier_values_do_not_change(parents: list[int]) -> None:
    values: list[tuple[History[int], list[int]]] = [(History(), [])]
    for item, parent in enumerate(parents):
        history, items = values[parent % len(values)]
        values.append((history.append(item), [*items, item]))
    for history, items in values:
        assert list(history) == items
        assert history[:] == items
        assert len(history) == len(items)


def test_appending_does_not_copy_a_history() -> None:
    first = history = History(range(100_000)).append(0)
    tracemalloc.start()
    try:
        for item in range(100):
            history = history.append(item)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100_000  # bytes: a copy has 800,000
    assert len(first) == 100_001
