"""Faults that tests plant in the code of a match."""

from __future__ import annotations

from typing import Any

import pytest


class Fault:
    """Raises in the calls `first` to `last` of the functions that it is put into."""

    def __init__(self, first: int = 1, last: int = 1) -> None:
        self.first, self.last = first, last
        self.calls = 0

    @property
    def has_raised(self) -> bool:
        return self.calls >= self.first

    def put_into(self, owner: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        original = getattr(owner, name)

        def faulty(*args: Any, **fields: Any) -> Any:
            self.calls += 1
            if self.first <= self.calls <= self.last:
                raise ZeroDivisionError("planted")
            return original(*args, **fields)

        monkeypatch.setattr(owner, name, faulty)
