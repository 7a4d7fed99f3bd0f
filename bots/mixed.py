"""Plays like greedy with a given probability, else at random: a bot of any strength between."""

from __future__ import annotations

from random import Random
from typing import Any

import tabnet
from tabnet.games.draughts import DraughtsMove
from tabnet.games.fish import PENGUIN, FishState, Place, Slide, Spot
from tabnet.games.plakoto import OFF, PINNING, THEIRS, PlakotoMove, PlakotoState
from tabnet.games.tab import TabMove


class Mixed:
    """`greed` is the probability of a greedy move: 0 never, 1 always."""

    def __init__(self, greed: float = 0.5) -> None:
        self.greed = greed
        self.rng = Random(0)

    def new_game(self, rng: Random) -> None:
        """Use `rng`, so that the same game gives the same choices again."""
        self.rng = rng

    def choose(self, state: Any, moves: tuple[Any, ...], _: float) -> tabnet.Move:
        """Return one of the moves with the greatest gain, or any move."""
        if self.rng.random() < self.greed:
            gains = [gain(state, move) for move in moves]
            most = max(gains)
            moves = tuple(move for move, gained in zip(moves, gains, strict=True) if gained == most)
        chosen: tabnet.Move = self.rng.choice(moves)
        return chosen


def gain(state: Any, move: Any) -> float:
    """Return the gain of a move, less the gain that it offers the next player."""
    after = state.apply(move)
    return taken(state, move) - (offer(after) if after.turn not in (state.turn, None) else 0)


def offer(state: Any) -> float:
    """Return the greatest gain in a position; if a throw is due, on average."""
    throws: list[tuple[Any, int]] = [(state.apply(roll), n) for roll, n in state.chances()]
    throws = throws or [(state, 1)]
    most = sum(n * max(taken(thrown, move) for move in thrown.actions()) for thrown, n in throws)
    return most / sum(n for _, n in throws)


def taken(state: Any, move: Any) -> int:
    """Return the immediate gain of a move, by kind of game; 0 in an unknown kind."""
    match move:
        case TabMove():
            return int(state.board[move.to] != 0)
        case DraughtsMove():
            pieces: int = state.enemy.bit_count()
            left: int = state.apply(move).own.bit_count()  # the turn has gone over
            return pieces - left
        case Place():
            return fish_at(state, move.at)
        case Slide():
            return fish_at(state, move.start) + fish_at(state, move.end)
        case PlakotoMove():
            return pinned(state, move)
    return 0


def fish_at(state: FishState, spot: Spot) -> int:
    """Return the fish on a tile, including one under a penguin."""
    return state.board[spot.row * state.sea.cols + spot.col] % PENGUIN


def pinned(state: PlakotoState, move: PlakotoMove) -> int:
    """Return the pips that a checker pinned by the move has to go, less those of a released one."""
    start, to = (OFF - move.start, OFF - move.to) if state.turn else (move.start, move.to)
    pins, lets_go = state.board[to] == THEIRS + 1, state.board[start] == PINNING + 1
    return to * pins - start * lets_go


if __name__ == "__main__":
    tabnet.run_bot(__file__)
