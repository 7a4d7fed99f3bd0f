"""The numbers of leaves, which other programs agree upon.

`tabnet perft draughts --depth 10` counts deeper: 3963680 at depth 9 and 18391564 at depth 10.
"""

from __future__ import annotations

import pytest

from tabnet.games.draughts import DRAUGHTS
from tabnet.games.perft import perft
from tests.games.draughts import naive

pytestmark = pytest.mark.slow

START = [7, 49, 302, 1469, 7361, 36768, 179740, 845931]

CIRCLE = ("W:WK7:B10,11,18,19", [2, 0])
LONG_CIRCLES = ("W:WK23:B10,11,18,19,26,27", [6, 28, 56, 302, 836, 4662])
CROWNING_ENDS = ("B:W26,27:B22", [1, 2, 4, 8, 32, 56])
KINGS = ("W:WK1,K2,K20,24,25:B9,K13,K15,18,K32", [8, 56, 289, 1701, 10137, 61289])
STUCK_MAN = ("B:W17,18,26:B13,14,30", [3, 6, 11, 32, 66, 190])
CROWNED_BLOCKER = ("B:W17,18,26:B13,14,K30", [4, 8, 17, 38, 141, 335])

SPECIAL = [CIRCLE, LONG_CIRCLES, CROWNING_ENDS, KINGS, STUCK_MAN, CROWNED_BLOCKER]


def counts(state, depth):
    return [perft(state, ply) for ply in range(1, depth + 1)]


def test_perft_from_the_start_has_the_published_counts():
    assert counts(DRAUGHTS.start(), len(START)) == START


@pytest.mark.parametrize(("fen", "leaves"), SPECIAL)
def test_perft_from_tricky_positions_has_the_known_counts(fen, leaves):
    assert counts(DRAUGHTS.load(fen), len(leaves)) == leaves


@pytest.mark.parametrize(("fen", "leaves"), SPECIAL)
def test_the_naive_generator_counts_the_same(fen, leaves):
    board, side = naive.read_fen(fen)
    depths = range(1, len(leaves[:4]) + 1)
    assert [naive.perft(board, side, depth) for depth in depths] == leaves[:4]
