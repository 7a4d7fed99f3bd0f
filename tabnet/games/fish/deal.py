"""Dealing a board of Fish from random bytes."""

from __future__ import annotations

from collections.abc import Callable

from tabnet.games.api import JSON
from tabnet.games.fish.fields import FishOptions
from tabnet.games.random_numbers import draw_below

MOST_DEALT = 5
"""The greatest number of fish on a dealt tile."""


def deal_board(options: FishOptions, next_byte: Callable[[], int]) -> JSON:
    """Return the board as rows of fish, if the options leave anything to chance; else None.

    The places are numbered row by row, from 0. First the holes are drawn, one after the other:
    with n places left, the first byte below the largest multiple of n that is at most 256,
    modulo n, tells how many of the places left, from the first on, stay before the hole. Then
    the fish, unless their number is given, of each tile in its turn: the first byte below 255,
    modulo 5, plus 1.
    """
    if not options.is_dealt:
        return None
    left = list(range(options.rows * options.cols))
    for _ in range(options.holes):
        del left[draw_below(len(left), next_byte)]
    cells = [0] * (options.rows * options.cols)
    for cell in left:
        cells[cell] = options.fish or 1 + draw_below(MOST_DEALT, next_byte)
    return [cells[row * options.cols :][: options.cols] for row in range(options.rows)]
