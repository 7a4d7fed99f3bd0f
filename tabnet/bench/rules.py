"""`tabnet bench rules`: the speed of the rules of each kind, on one core.

A playout is a whole game of random actions, as bots with Monte Carlo search play them. Perft counts
the leaves of the tree, as bots with full search visit them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from functools import partial

from attrs import frozen

from tabnet.bench.output import Output
from tabnet.games.api import Game, Roll, State
from tabnet.games.perft import perft

LONGEST = 2000
"""The number of actions after which a playout stops, because not every kind of game has to end."""


@frozen
class Speed:
    """A number of games and actions, and the seconds that they took."""

    playouts: int
    actions: int
    seconds: float


def bench(kinds: Iterable[Game], seconds: float, out: Output) -> None:
    """Measure each kind for about so many seconds, and print the figures."""
    out("kind       playouts/s  actions/s  actions/playout   perft  depth     leaves/s")
    for game in kinds:
        speed = measure_playouts(game, seconds)
        depth, leaves = measure_perft(game, seconds)
        figures = {
            "playouts_per_s": speed.playouts / speed.seconds,
            "actions_per_s": speed.actions / speed.seconds,
            "actions_per_playout": speed.actions / speed.playouts,
            "perft_depth": depth,
            "perft_leaves_per_s": leaves,
        }
        formats = ("11.1f", "10.0f", "16.1f", "14", "12.0f")
        cells = (f"{value:{form}}" for value, form in zip(figures.values(), formats, strict=True))
        out(f"{game.kind:9} {' '.join(cells)}", measured="speed", kind=game.kind, **figures)


def measure_playouts(game: Game, seconds: float) -> Speed:
    """Play random games until the time is over, at least one."""
    luck = random.Random(1)
    begun = time.perf_counter()
    games = actions = 0
    while not games or time.perf_counter() - begun < seconds:
        games += 1
        actions += play_random_game(start_first_game(game, luck), luck)
    return Speed(games, actions, time.perf_counter() - begun)


def start_first_game(game: Game, luck: random.Random) -> State:
    """Return the usual game for the fewest players, its board dealt if the kind deals one."""
    options, seats = game.options(), game.seats[0]
    return game.start(options, seats, game.deal(options, seats, partial(luck.randrange, 256)))


def play_random_game(state: State, luck: random.Random) -> int:
    """Play at random to the end, and return the number of actions."""
    for made in range(LONGEST):
        if state.turn is None:
            return made
        action = luck.choice(state.actions())
        if isinstance(action, Roll):
            rolls, weights = zip(*state.chances(), strict=True)
            action = luck.choices(rolls, weights)[0]
        state = state.apply(action)
    return LONGEST


def measure_perft(game: Game, seconds: float) -> tuple[int, float]:
    """Return the depth of the deepest tree counted in the time, and the leaves per second."""
    state = start_first_game(game, random.Random(1))
    depth, begun = 0, time.perf_counter()
    while True:
        depth += 1
        start = time.perf_counter()
        leaves = perft(state, depth)
        now = time.perf_counter()
        if now - begun > seconds or not leaves:
            return depth, leaves / (now - start)
