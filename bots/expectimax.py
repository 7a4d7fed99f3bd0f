"""Looks ahead: every move, every throw with its chance, every answer, as deep as it is told.

A position is worth from -1 to 1 to the seat whose turn it is. A move is worth as much as the best
that can follow it, a throw the average of what its outcomes are worth. Without throws, as in
draughts, the same search is plain alpha-beta.
"""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Any, TypeAlias

import tabnet

Value: TypeAlias = float

WORST, BEST = -1.0, 1.0
"""What nothing is worse or better than: a throw is given up when the rest of it cannot matter."""
WON, SOONER = 0.9, 0.01
"""A game that is won; and how much better it is to win it one move sooner."""
SHARE = 0.05
"""How much of the time left may go into one move."""
MOST_KNOWN = 500_000
"""How many values are remembered before all are forgotten."""


class OutOfTime(Exception):
    """The move has to be made now."""


class Expectimax:
    """`depth` is how many moves it looks ahead, its own and the opponent's."""

    def __init__(self, depth: int = 2) -> None:
        self.depth = depth
        self.rng = Random(0)
        self.known: dict[Any, tuple[Value, Value]] = {}
        self.deadline = 0.0

    def new_game(self, rng: Random) -> None:
        """Of moves that are worth the same, the generator chooses."""
        self.rng = rng
        self.known.clear()

    def choose(self, state: Any, moves: tuple[Any, ...], left: float) -> tabnet.Move:
        """The best move as far as it can see; each depth is searched in the light of the last."""
        self.deadline = monotonic() + SHARE * left
        if len(self.known) > MOST_KNOWN:
            self.known.clear()
        ranked = self.rng.sample(moves, len(moves))
        ranked.sort(key=lambda move: -worth_after(state, state.apply(move)))
        for depth in range(2, self.depth + 1):
            try:
                best = self.best(state, ranked, depth)
            except OutOfTime:
                break
            ranked.remove(best)
            ranked.insert(0, best)
        chosen: tabnet.Move = ranked[0]
        return chosen

    def best(self, state: Any, moves: list[Any], depth: int) -> Any:
        """The best of these moves."""
        best, alpha = moves[0], WORST
        for move in moves:
            value = self.after(state, state.apply(move), depth - 1, alpha, BEST)
            if value > alpha:
                best, alpha = move, value
        return best

    def after(self, before: Any, state: Any, depth: int, alpha: Value, beta: Value) -> Value:
        """What `state` is worth to the seat that has just played."""
        if state.turn == before.turn:
            return self.value(state, depth, alpha, beta)
        if state.turn is None:
            return final(state, before.turn, depth)
        return -self.value(state, depth, -beta, -alpha)

    def value(self, state: Any, depth: int, alpha: Value, beta: Value) -> Value:
        """What a position is worth, if that lies between `alpha` and `beta`; else a bound of it."""
        if depth <= 0 and not must_capture(state):
            return evaluation(state)
        if monotonic() > self.deadline:
            raise OutOfTime
        key = (depth, *identity(state))
        low, high = self.known.get(key, (WORST, BEST))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        search = self.average if state.chances() else self.maximum
        value = search(state, depth, alpha, beta)
        self.known[key] = (value if value > alpha else low, value if value < beta else high)
        return value

    def maximum(self, state: Any, depth: int, alpha: Value, beta: Value) -> Value:
        """The best that can be done; given up when the opponent will not let it come to this."""
        best = WORST
        for child in following(state, depth):
            value = self.after(state, child, depth - 1, max(alpha, best), beta)
            best = max(best, value)
            if best >= beta:
                break
        return best

    def average(self, state: Any, depth: int, alpha: Value, beta: Value) -> Value:
        """What a throw is worth (Star1): given up when what is left of it cannot matter."""
        chances: tuple[tuple[Any, int], ...] = state.chances()
        rest = whole = sum(weight for _, weight in chances)
        total: Value = 0
        for roll, weight in chances:
            rest -= weight
            thrown = state.apply(roll)
            low = (whole * alpha - total - rest * BEST) / weight
            high = (whole * beta - total - rest * WORST) / weight
            # A throw that moves nothing and is thrown again costs depth, or there were no end.
            deep = depth - bool(thrown.chances())
            value = self.value(thrown, deep, max(low, WORST), min(high, BEST))
            total += weight * value
            if value <= low:
                return (total + rest * BEST) / whole
            if value >= high:
                return (total + rest * WORST) / whole
        return total / whole


def following(state: Any, depth: int) -> list[Any]:
    """The positions that may come next, the likely best first if it is worth the trouble."""
    children = [state.apply(action) for action in state.actions()]
    if depth > 1 and len(children) > 1:
        children.sort(key=lambda child: -worth_after(state, child))
    return children


def worth_after(before: Any, state: Any) -> Value:
    """What a position seems worth to the seat that has just played."""
    if state.turn is None:
        return final(state, before.turn, 0)
    return evaluation(state) if state.turn == before.turn else -evaluation(state)


def final(state: Any, seat: int, depth: int) -> Value:
    """What the end is worth to a seat; `depth` was still to be searched."""
    winners = state.outcome().winners
    if not winners:
        return 0.0
    return min(WON + SOONER * depth, BEST) * (1 if seat in winners else -1)


# What is different from game to game


def is_draughts(state: Any) -> bool:
    """Else it is Tab."""
    return hasattr(state, "kings")


def identity(state: Any) -> tuple[Any, ...]:
    """What positions have in common that are worth the same."""
    if is_draughts(state):
        return (state.key, state.quiet)
    return (state.board, state.turn, state.sticks)


def must_capture(state: Any) -> bool:
    """Whether a position is too lively to be judged: in draughts, in the midst of an exchange."""
    if not is_draughts(state):
        return False
    here, there = state.actions()[0].route[:2]
    return abs(ord(here[0]) - ord(there[0])) == 2


def evaluation(state: Any) -> Value:
    """What a position seems to be worth to the seat to act, from -WON to WON."""
    mine, theirs = (draughts_strengths if is_draughts(state) else tab_strengths)(state)
    return WON * (mine - theirs) / (mine + theirs)


def draughts_strengths(state: Any) -> tuple[float, float]:
    """Men, and kings, which are worth more."""
    kings = state.kings
    mine = state.own.bit_count() + 0.4 * (state.own & kings).bit_count()
    theirs = state.enemy.bit_count() + 0.4 * (state.enemy & kings).bit_count()
    return mine, theirs


def tab_strengths(state: Any) -> tuple[float, float]:
    """Pieces, by where they stand and what they have been through."""
    board = state.board
    size = len(board) // 4
    rows = [board[start : start + size] for start in range(0, 4 * size, size)]
    blue, red = tab_strength(rows, 1), tab_strength(rows[::-1], 5)
    return (red, blue) if state.turn else (blue, red)


def tab_strength(rows: list[bytes], unmoved: int) -> float:
    """Of the seat with this byte for a piece that has not moved, whose first row comes first."""
    moved, returned = unmoved + 1, unmoved + 2  # the latter from the last row
    home, second, third, last = rows
    return (
        home.count(unmoved)
        + 1.3 * (home.count(moved) + second.count(moved))
        + 1.5 * (third.count(moved) + third.count(returned) + second.count(returned))
        + 1.9 * last.count(returned)
    )


if __name__ == "__main__":
    tabnet.run_bot(__file__)
