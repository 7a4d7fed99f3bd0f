"""The public names as a type checker sees them. The gate checks this file with `mypy --strict`.

An unused `type: ignore` is an error there, so a misspelt name must be an error too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, assert_type

import tabnet
from tabnet.games.api import Game, Outcome

assert_type(tabnet.GAMES, dict[str, Game])
assert_type(tabnet.__version__, str)

run_bot: Callable[[str], NoReturn] = tabnet.run_bot


play_tournament: Callable[..., dict[str, Any]] = tabnet.play_tournament


def outcome_after(state: tabnet.State, move: tabnet.Move) -> Outcome | None:
    """Return the outcome after a move: a bot can name both types."""
    return state.apply(move).outcome()


async def leave(game: str) -> None:
    """Leave a game on the server of this machine: `connect` gives a `Client`."""
    async with tabnet.connect() as client:
        assert_type(client, tabnet.Client)
        await client.leave(game)


def misspelt() -> object:
    """Return a name that does not exist."""
    return tabnet.GAME  # type: ignore[attr-defined]  # a misspelt name is a type error
