"""Positions to choose in."""

from __future__ import annotations

import random

from tabnet.games import GAMES
from tabnet.games.api import Pass, Roll


def positions(kind, count):
    """Some positions of a random game in which there is a choice."""
    rng, game = random.Random(5), GAMES[kind]
    state = game.start(game.options(size=7)) if kind == "tab" else game.start()
    found = []
    while state.turn is not None:
        actions = state.actions()
        action = rng.choice(actions)
        if action == Roll():
            action = Roll(rng.randrange(16))
        elif action != Pass() and len(actions) > 1:
            found.append(state)
        state = state.apply(action)
    return rng.sample(found, count)
