"""The size of Plakoto's tree of plies: throws (21 pairs of dice), passes and single checkers.

The numbers were counted by `naive`, which shares no code with the rules.
"""

from __future__ import annotations

import pytest

from tabnet.games.perft import perft
from tabnet.games.plakoto import PLAKOTO
from tests.games.plakoto.naive import NaivePlakoto, naive_of, naive_perft

pytestmark = pytest.mark.slow

POSITIONS: dict[str, NaivePlakoto] = {
    "start": NaivePlakoto.start(),
    # pins of both, closed points, and mothers that are still alone
    "middle": naive_of("W1:1 W8:2* W12:3 W17:1 W20:5 B24:1 B5:4* B10:2 B18:3 B16:2 W22:2 B3:2"),
    # both bear off, Black with gaps; the game ends within the tree
    "bearing off": naive_of("W20:1 W22:1 W24:2 B6:1 B2:2", 1, (4, 2)),
    # few moves: most of the points before White are closed
    "closed": naive_of("W1:1 W2:13 W19:1 B3:2 B4:2 B5:2 B6:2 B7:2 B8:2 B24:3", 0, (6, 5)),
}

COUNTS: dict[str, list[int]] = {
    "start": [21, 36, 72, 1284, 2219, 5559, 79164, 331784],
    "middle": [21, 144, 597, 10542, 73374],
    "bearing off": [3, 3, 63, 177, 237, 4062, 5106, 9009, 44904, 67140],
    "closed": [1, 21, 156, 712, 12894, 23747, 134451],
}


@pytest.mark.parametrize("name", POSITIONS)
def test_the_tree_has_the_size_counted_by_the_naive_rules(name: str) -> None:
    state = PLAKOTO.load(POSITIONS[name].view())
    counts = COUNTS[name]
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", POSITIONS)
def test_the_naive_rules_count_the_same(name: str) -> None:
    assert [naive_perft(POSITIONS[name], depth) for depth in range(1, 4)] == COUNTS[name][:3]
