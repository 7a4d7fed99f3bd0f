"""Immutable values that cost little to create.

A frozen attrs class of ten fields takes seven times as long to create as one that is not frozen,
because attrs then sets each field through `object.__setattr__`. Every command creates about ten
values, so here the type checker alone protects the fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["frozen"]

if TYPE_CHECKING:
    from attrs import frozen
else:
    from functools import partial

    from attrs import define

    frozen = partial(define, unsafe_hash=True)
