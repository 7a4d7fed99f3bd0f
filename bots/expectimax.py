"""Looks ahead: every move, every throw with its chance, every answer, as deep as it is told.

A position is worth from -1 to 1 to the side whose turn it is; if more than two play, all the others
are the other side. A move is worth as much as the best that can follow it, a throw the average of
what its outcomes are worth. Without throws, as in draughts, the same search is plain alpha-beta.

What is different from game to game stands at the end. Of any other game only the ends are judged.
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
        self.seat = 0
        self.known: dict[Any, tuple[Value, Value]] = {}
        self.deadline = 0.0

    def new_game(self, rng: Random) -> None:
        """Of moves that are worth the same, the generator chooses."""
        self.rng = rng
        self.known.clear()

    def choose(self, state: Any, moves: tuple[Any, ...], left: float) -> tabnet.Move:
        """The best move as far as it can see; each depth is searched in the light of the last."""
        self.deadline = monotonic() + SHARE * left
        self.seat = state.turn
        if len(self.known) > MOST_KNOWN:
            self.known.clear()
        ranked = self.rng.sample(moves, len(moves))
        ranked.sort(key=lambda move: -self.promise(state, state.apply(move)))
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
        """The best of these moves."""
        best, alpha = moves[0], WORST
        for move in moves:
            value = self.after(state, state.apply(move), depth - 1, alpha, BEST)
            if value > alpha:
                best, alpha = move, value
        return best

    def sign(self, state: Any) -> int:
        """1 if this is the bot's own turn; values of the other side's are the negative ones."""
        return 1 if state.turn == self.seat else -1

    def after(self, before: Any, state: Any, depth: int, alpha: Value, beta: Value) -> Value:
        """What `state` is worth to the side that has just played."""
        sign = self.sign(before)
        if state.turn is None:
            return sign * final(state, self.seat, depth)
        if self.sign(state) == sign:
            return self.value(state, depth, alpha, beta)
        return -self.value(state, depth, -beta, -alpha)

    def promise(self, before: Any, state: Any) -> Value:
        """What a position seems worth to the side that has just played, without a search."""
        seat, over = self.seat, state.turn is None
        return self.sign(before) * (final(state, seat, 0) if over else evaluation(state, seat))

    def value(self, state: Any, depth: int, alpha: Value, beta: Value) -> Value:
        """What a position is worth, if that lies between `alpha` and `beta`; else a bound of it."""
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
        """The best that can be done; given up when the opponent will not let it come to this."""
        best = WORST
        for child in self.following(state, depth):
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

    def following(self, state: Any, depth: int) -> list[Any]:
        """The positions that may come next, the likely best first if it is worth the trouble."""
        children = [state.apply(action) for action in state.actions()]
        if depth > 1 and len(children) > 1:
            children.sort(key=lambda child: -self.promise(state, child))
        return children


def final(state: Any, seat: int, depth: int) -> Value:
    """What the end is worth to a seat; `depth` was still to be searched."""
    winners = state.outcome().winners
    if not winners or (seat in winners and len(winners) > 1):
        return 0.0
    return stakes(state) * min(WON + SOONER * depth, BEST) * (1 if seat in winners else -1)


def evaluation(state: Any, seat: int) -> Value:
    """What a position seems to be worth to a seat, from -WON to WON."""
    mine, theirs = strengths(state, seat)
    return stakes(state) * WON * (mine - theirs) / (mine + theirs)


# What is different from game to game

FREE = bytes(b"01"[0 < byte < PENGUIN] for byte in range(256))
"""Makes `int(board.translate(FREE), 2)` the set of the tiles of Fish that are free."""
MISSED = {
    pips: 1 - throws / 36
    for pips, throws in enumerate((11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3), 1)
}
"""How likely it is that two dice do not take a checker just so far, if nothing is in the way."""
PINNED, MOTHER, DANGER, CLOSED, CALM = 4.0, 150.0, 0.4, 20.0, 200.0
"""Pips for each pip that a pinned checker has left; more for the mother; what part of it a threat
is; off for a closed point; and for everybody, or a few pips would decide the end of a race."""


def strengths(state: Any, seat: int) -> tuple[float, float]:
    """How strong a seat is, and how strong the other side; the same if nothing is known."""
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
    """How much of the most that a win can be worth is won, or likely to be."""
    if not isinstance(state, PlakotoState):
        return 1.0
    outcome = state.outcome()
    return max(outcome.points) / 2 if outcome else 0.5


def identity(state: Hashable) -> Hashable:
    """What positions have in common that are worth the same."""
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
    """Whether to look further, or to judge a position as it is; `depth` is still to be searched."""
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
    """Men, and kings, which are worth more."""
    pieces = state.own if seat == state.side else state.enemy
    return pieces.bit_count() + 0.4 * (pieces & state.kings).bit_count()


def tab_strength(state: TabState, seat: int) -> float:
    """Pieces, by where they stand and what they have been through, and what they threaten."""
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
    """How many pieces a throw of this seat's could take, on average."""
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
    """Where a throw may lead, with its chance, as `table[byte of the piece][cell]`."""
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
    """The fish of a seat, and of all others: what they have, and what they would come to first."""
    mine, theirs = territories(state, seat)
    taken = state.scores[seat]
    return (
        1 + taken + fish_on(mine, state.board),
        1 + sum(state.scores) - taken + fish_on(theirs, state.board),
    )


def territories(state: FishState, seat: int) -> tuple[int, int]:
    """The tiles to which a seat comes, step by step, before all others, and they before it.

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
    """The neighbours of these tiles, and some bits that are no tiles."""
    left, right = leaning(rows, cols)
    wide = tiles | (tiles & left) << 1 | (tiles & right) >> 1
    return wide << cols | wide >> cols | tiles << 2 * cols | tiles >> 2 * cols


@cache
def leaning(rows: int, cols: int) -> tuple[int, int]:
    """The tiles with neighbours one column to the left, and those with some to the right."""
    two_rows = "0" + "1" * (cols - 1) + "0" * cols
    left, right = ((two * rows)[: rows * cols] for two in (two_rows, two_rows[::-1]))
    return int(left, 2), int(right, 2)


def fish_on(tiles: int, board: bytes) -> int:
    """The fish on these tiles, also under penguins."""
    digits = f"{tiles:0{len(board)}b}"
    return sum(byte % PENGUIN for byte, digit in zip(board, digits, strict=True) if digit == "1")


def burden(board: bytes) -> float:
    """The pips that one's checkers have to go, and what is as bad: to be pinned, or in danger."""
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
