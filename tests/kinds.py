"""Terms that any kind of game accepts, so that a test of every kind needs to name none."""

from __future__ import annotations

from typing import Any

from tabnet.games import GAMES


def required_terms(kind: str) -> dict[str, Any]:
    """Return a group and the option that the kind requires, with its default; often nothing."""
    game = GAMES[kind]
    option = game.leaderboard_option
    return {"group": 1, option: getattr(game.options(), option)} if option else {}
