"""Searches every move, every throw with its probability, and every answer, to a fixed depth.

A position has a value from -1 to 1 for the side to act; with more than two players, all the others
are the other side. The value of a move is that of the best continuation, the value of a throw is
the average over its outcomes. Without throws, as in draughts, the same search is plain alpha-beta.

The functions that depend on the kind of game are at the end. In any other kind of game the bot only
values final positions.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from math import prod
from random import Random
from time import monotonic
from typing import Any, TypeAlias

import tabnet
from tabnet.games.draughts import DraughtsState
from tabnet.games.fish import PENGUIN, FishState
from tabnet.games.plakoto import COUNT, FIRST, OFF, PINNING, THEIRS, PlakotoState, turned
from tabnet.games.tab import OWN, VALUE, WEIGHTS, TabState, move_table

Value: TypeAlias = float

WORST, BEST = -1.0, 1.0
"""The bounds of a value: a throw is not searched further when its other outcomes cannot matter."""
WON, SOONER = 0.9, 0.01
"""The value of a won game, and the bonus for winning it one move sooner."""
SHARE = 0.05
"""The share of the time left that one move may use."""
MOST_KNOWN = 500_000
"""The number of cached values at which the cache is cleared."""


class OutOfTime(Exception):
    """The search stops: the move is due now."""


class Expectimax:
    """Searches `depth` moves ahead, its own and the opponent's."""

    def __init__(self, depth: int = 2) -> None:
        self.depth = depth
        self.rng = Random(0)
        self.seat = 0
        self.known: dict[Any, tuple[Value, Value]] = {}
        self.deadline = 0.0

    def new_game(self, rng: Random) -> None:
        """Use `rng` to choose between equally good moves."""
        self.rng = rng
        self.known.clear()

    def choose(self, state: Any, moves: tuple[Any, ...], left: float) -> tabnet.Move:
        """Return the best move; each deeper search begins with the best move of the one before."""
        self.deadline = monotonic() + SHARE * left
        self.seat = state.turn
        if len(self.known) > MOST_KNOWN:
            self.known.clear()
        ranked = self.rng.sample(moves, len(moves))
        ranked.sort(key=lambda move: -self.estimate(state, state.apply(move)))
        for depth in range(1, self.depth + 1):
            try:
                best = self.best(state, ranked, depth)
            except OutOfTime:
                break
            ranked.remove(best)
            ranked.insert(0, best)
        chosen: tabnet.Move = ranked[0]
        return chosen

    def best(self, state: Any, moves: list[Any], depth: int) -> Any:
        """Return the best of these moves."""
        best, alpha = moves[0], WORST
        for move in moves:
            value = self.after(state, state.apply(move), depth - 1, alpha, BEST)
            if value > alpha:
                best, alpha = move, value
        return best

    def sign(self, state: Any) -> int:
        """Return 1 if it is the bot's turn, else -1: the other side's values are negated."""
        return 1 if state.turn == self.seat else -1

    def after(self, before: Any, state: Any, depth: int, alpha: Value, beta: Value) -> Value:
        """Return the value of `state` for the side that has just played."""
        sign = self.sign(before)
        if state.turn is None:
            return sign * final(state, self.seat, depth)
        if self.sign(state) == sign:
            return self.value(state, depth, alpha, beta)
        return -self.value(state, depth, -beta, -alpha)

    def estimate(self, before: Any, state: Any) -> Value:
        """Return the estimated value of a position, without search, for the side that has just
        played.
        """
        seat, over = self.seat, state.turn is None
        return self.sign(before) * (final(state, seat, 0) if over else evaluation(state, seat))

    def value(self, state: Any, depth: int, alpha: Value, beta: Value) -> Value:
        """Return the value of a position if it is between `alpha` and `beta`, else a bound."""
        if not goes_on(state, depth):
            return self.sign(state) * evaluation(state, self.seat)
        if monotonic() > self.deadline:
            raise OutOfTime
        key = (depth, identity(state))
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
        """Return the best value; stop early if the opponent will not allow this position."""
        best = WORST
        for child in self.following(state, depth):
            value = self.after(state, child, depth - 1, max(alpha, best), beta)
            best = max(best, value)
            if best >= beta:
                break
        return best

    def average(self, state: Any, depth: int, alpha: Value, beta: Value) -> Value:
        """Return the value of a throw (Star1); stop early if its other outcomes cannot matter."""
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

    def following(self, state: Any, depth: int) -> list[Any]:
        """Return the possible next positions, the most promising first if sorting pays."""
        children = [state.apply(action) for action in state.actions()]
        if depth > 1 and len(children) > 1:
            children.sort(key=lambda child: -self.estimate(state, child))
        return children


def final(state: Any, seat: int, depth: int) -> Value:
    """Return the value of a final position for a seat; `depth` plies were left to search."""
    winners = state.outcome().winners
    if not winners or (seat in winners and len(winners) > 1):
        return 0.0
    return stakes(state) * min(WON + SOONER * depth, BEST) * (1 if seat in winners else -1)


def evaluation(state: Any, seat: int) -> Value:
    """Return the estimated value of a position for a seat, from -WON to WON."""
    mine, theirs = strengths(state, seat)
    return stakes(state) * WON * (mine - theirs) / (mine + theirs)


# The kinds of games

FREE = bytes(b"01"[0 < byte < PENGUIN] for byte in range(256))
"""The table for which `int(board.translate(FREE), 2)` is the set of free tiles of Fish."""
MISSED = {
    pips: 1 - throws / 36
    for pips, throws in enumerate((11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3), 1)
}
"""The probability that two dice do not hit a checker at that distance on an open board."""
PINNED, MOTHER, DANGER, CLOSED, CALM = 4.0, 150.0, 0.4, 20.0, 200.0
"""Weights in pips: each pip that a pinned checker has to go; a pinned mother; the share of a
threat; a closed point; and a constant for both sides, so that a few pips do not decide a race."""


def strengths(state: Any, seat: int) -> tuple[float, float]:
    """Return the strengths of a seat and of the other side; equal if nothing is known."""
    match state:
        case TabState():
            return tab_strength(state, seat), tab_strength(state, 1 - seat)
        case DraughtsState():
            return draughts_strength(state, seat), draughts_strength(state, 1 - seat)
        case FishState():
            return fish_strengths(state, seat)
        case PlakotoState():
            board = state.board if state.turn == seat else turned(state.board)
            return burden(turned(board)), burden(board)
    return 1.0, 1.0


def stakes(state: Any) -> float:
    """Return the share of the greatest possible win that is won, or likely to be."""
    if not isinstance(state, PlakotoState):
        return 1.0
    outcome = state.outcome()
    return max(outcome.points) / 2 if outcome else 0.5


def identity(state: Hashable) -> Hashable:
    """Return a key that positions of equal value share."""
    match state:
        case TabState():
            return (state.board, state.turn, state.sticks)
        case DraughtsState():
            return (state.key, state.quiet)
        case FishState():
            return (state.board, state.places, state.scores, state.turn)
        case PlakotoState():
            return (state.board, state.turn, state.dice)
    return state


def goes_on(state: Any, depth: int) -> bool:
    """Return whether to search further; `depth` plies are left to search."""
    if depth > 0:
        return True
    match state:
        case DraughtsState():  # an exchange is played to its end
            here, there = state.actions()[0].route[:2]
            return abs(ord(here[0]) - ord(there[0])) == 2
        case PlakotoState():  # and so is a throw
            return bool(state.dice)
    return False


def draughts_strength(state: DraughtsState, seat: int) -> float:
    """Count men, and kings, which count more."""
    pieces = state.own if seat == state.side else state.enemy
    return pieces.bit_count() + 0.4 * (pieces & state.kings).bit_count()


def tab_strength(state: TabState, seat: int) -> float:
    """Weigh pieces by row and stage, and add their threats."""
    board, size = state.board, state.size
    rows = [board[start : start + size] for start in range(0, 4 * size, size)]
    home, second, third, last = rows[::-1] if seat else rows
    unmoved, moved, returned = sorted(OWN[seat])
    return (
        home.count(unmoved)
        + 1.3 * (home.count(moved) + second.count(moved))
        + 1.5 * (third.count(moved) + third.count(returned) + second.count(returned))
        + 1.9 * last.count(returned)
        + threats(board, seat, OWN[seat].isdisjoint(home))
    )


def threats(board: bytes, seat: int, last_row_open: bool) -> float:
    """Return the number of pieces that a throw of this seat captures on average."""
    table = reach(len(board) // 4, seat, last_row_open)
    enemy = OWN[1 - seat]
    return sum(
        chance
        for cell, piece in enumerate(board)
        for to, chance in table[piece][cell]
        if board[to] in enemy
    )


@cache
def reach(size: int, seat: int, last_row_open: bool) -> list[list[list[tuple[int, float]]]]:
    """Return the destinations of a throw with their probabilities, as `table[byte of the
    piece][cell]`.
    """
    return [
        [
            [
                (move.to, weight / 16)
                for sticks, weight in WEIGHTS.items()
                for move in move_table(size, seat, VALUE[sticks], last_row_open)[piece][cell]
            ]
            for cell in range(4 * size)
        ]
        for piece in range(8)
    ]


def fish_strengths(state: FishState, seat: int) -> tuple[float, float]:
    """Return the fish of a seat and of all others: collected, and nearest to their penguins."""
    mine, theirs = territories(state, seat)
    taken = state.scores[seat]
    return (
        1 + taken + fish_on(mine, state.board),
        1 + sum(state.scores) - taken + fish_on(theirs, state.board),
    )


def territories(state: FishState, seat: int) -> tuple[int, int]:
    """Return the tiles that a seat reaches before all others, and the tiles that they reach first.

    A set of tiles is an integer with a bit for each, the last tile lowest.
    """
    shape = state.sea.rows, state.sea.cols
    free = int(state.board.translate(FREE), 2)
    fronts = [0, 0]
    for each, penguins in enumerate(state.places):
        for cell in penguins or ():
            fronts[each != seat] |= 1 << len(state.board) - 1 - cell
    found = [front & around(free, *shape) for front in fronts]
    while any(fronts):
        fronts = [around(front, *shape) & free for front in fronts]
        found = [tiles | front for tiles, front in zip(found, fronts, strict=True)]
        free &= ~(fronts[0] | fronts[1])
    return found[0] & ~found[1], found[1] & ~found[0]


def around(tiles: int, rows: int, cols: int) -> int:
    """Return the neighbours of these tiles, and some bits that are not tiles."""
    left, right = leaning(rows, cols)
    wide = tiles | (tiles & left) << 1 | (tiles & right) >> 1
    return wide << cols | wide >> cols | tiles << 2 * cols | tiles >> 2 * cols


@cache
def leaning(rows: int, cols: int) -> tuple[int, int]:
    """Return the tiles with neighbours one column to the left, and those with some to the right."""
    two_rows = "0" + "1" * (cols - 1) + "0" * cols
    left, right = ((two * rows)[: rows * cols] for two in (two_rows, two_rows[::-1]))
    return int(left, 2), int(right, 2)


def fish_on(tiles: int, board: bytes) -> int:
    """Return the fish on these tiles, including those under penguins."""
    digits = f"{tiles:0{len(board)}b}"
    return sum(byte % PENGUIN for byte, digit in zip(board, digits, strict=True) if digit == "1")


def burden(board: bytes) -> float:
    """Return the pips that the checkers still have to go, with penalties for pinned and threatened
    ones.
    """
    held = [point for point in range(FIRST, OFF) if board[point]]
    enemies = [point for point in held if board[point] & THEIRS]
    pips = CALM
    for point in held:
        byte, left = board[point], OFF - point
        pinned = PINNED * left + MOTHER * (point == FIRST)
        if byte & THEIRS:
            pips += (left + pinned) * (byte & PINNING > 0)
        elif byte == 1:
            missed = prod([MISSED.get(enemy - point, 1.0) for enemy in enemies])
            pips += left + DANGER * pinned * (1 - missed)
        else:
            pips += left * (byte & COUNT) - CLOSED
    return pips


if __name__ == "__main__":
    tabnet.run_bot(__file__)
