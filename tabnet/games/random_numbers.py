"""Numbers from random bytes, each as likely as any other."""

from __future__ import annotations

from collections.abc import Callable


def draw_below(count: int, next_byte: Callable[[], int]) -> int:
    """Return the first byte below the largest multiple of `count` up to 256, modulo `count`."""
    limit = 256 - 256 % count
    while (byte := next_byte()) >= limit:
        pass
    return byte % count
