"""The size of Tab's tree of plies: throws (five values), passes and moves.

The numbers were counted by `naive`, which shares no code with the rules.
"""

from __future__ import annotations

from typing import Any

import pytest

from tabnet.games.perft import perft
from tabnet.games.tab import TAB
from tests.games.tab.naive import NaiveTab, naive_perft, view_of

pytestmark = pytest.mark.slow

POSITIONS: dict[str, dict[str, Any]] = {
    "start of size 7": NaiveTab.start(7).view(),
    "start of size 9": NaiveTab.start(9).view(),
    # forks, open and closed, and captures of pieces that never moved
    "forks": view_of("b0 b8 B12 B21 B*23 B25 r35 r34 r28 R*5 R16 R*10"),
    # pieces of both in their last rows, kept there by one piece at home each
    "blocked": view_of("b7 B26 B*27 B*33 B*20 r31 R*2 R*8 R13 R24", 1),
    # games that end within the tree, from a throw on
    "endgame": view_of("B*15 B20 R*3 R12", 0, 6, size=7),
    # Red at the fork, Blue on its way to it
    "red fork": view_of("b3 B14 B*29 r34 R9 R16 R17 R*7 R*1", 1),
}

COUNTS: dict[str, list[int]] = {
    "start of size 7": [5, 13, 41, 114, 340, 962, 2826, 8067, 23581, 67640],
    "start of size 9": [5, 13, 41, 114, 340, 962, 2826, 8059, 23525, 67350],
    "forks": [5, 24, 120, 470, 2350, 8490, 42384, 147022],
    "blocked": [5, 12, 60, 142, 710, 1716, 8580, 21012],
    "endgame": [3, 15, 32, 160, 350, 1750, 3665, 18315],
    "red fork": [5, 22, 110, 300, 1500, 3582, 17910, 42519],
}


@pytest.mark.parametrize("name", POSITIONS)
def test_the_tree_has_the_size_counted_by_the_naive_rules(name: str) -> None:
    state = TAB.load(POSITIONS[name])
    counts = COUNTS[name]
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", POSITIONS)
def test_the_naive_rules_count_the_same(name: str) -> None:
    naive = NaiveTab.from_view(TAB.load(POSITIONS[name]).view())
    counts = COUNTS[name][:5]
    assert [naive_perft(naive, depth) for depth in range(1, 6)] == counts
