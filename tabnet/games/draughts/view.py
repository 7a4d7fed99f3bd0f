"""Positions of draughts as a FEN, and drawn as text."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from tabnet.games.draughts.board import BITS, write_board
from tabnet.games.draughts.pdn import write_fen

Key: TypeAlias = tuple[int, int, int, int]
"""The board and the side to move, without the history."""


@lru_cache(4096)
def write_key_as_fen(key: Key) -> str:
    own, enemy, kings, side = key
    white, black = (enemy, own) if side else (own, enemy)
    return write_fen(write_board(white, black, kings), side)


def format_board(board: str) -> str:
    """Return a board text as eight lines of squares, with the names of ranks and files."""
    squares = [
        piece if piece != "0" else "." if bit else " "
        for piece, bit in zip(board, BITS.values(), strict=True)
    ]
    ranks = [" ".join(squares[start : start + 8]).rstrip() for start in range(0, 64, 8)]
    lines = [f"{8 - row}  {rank}" for row, rank in enumerate(ranks)]
    return "\n".join([*lines, "", "   a b c d e f g h"])
