"""Positions to choose in."""

from __future__ import annotations

import random

from tabnet.games import GAMES
from tabnet.games.api import Pass, Roll


def start(kind, rng, seats=2):
    """Return the first position of a game; the generator deals the board if the kind needs it."""
    game = GAMES[kind]
    options = game.options(size=7) if kind == "tab" else game.options()
    return game.start(options, seats, game.deal(options, seats, lambda: rng.randrange(256)))


def throw(state, rng):
    """A throw that is due, drawn by the generator."""
    rolls, weights = zip(*state.chances(), strict=True)
    return rng.choices(rolls, weights)[0]


def choices(kind, rng, seats=2):
    """The positions of a random game in which there is a choice."""
    state = start(kind, rng, seats)
    while state.turn is not None:
        action = rng.choice(state.actions())
        if action == Roll():
            action = throw(state, rng)
        elif action != Pass() and len(state.actions()) > 1:
            yield state
        state = state.apply(action)


def positions(kind, count):
    """Some positions of a random game in which there is a choice."""
    rng = random.Random(5)
    return rng.sample(list(choices(kind, rng)), count)
