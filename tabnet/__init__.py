"""tabnet: a network referee and arena for board games with dice.

The packages, each importing only from those below it:

    cli         the `tabnet` command, one module for each subcommand
    bench       benchmarks of the server, the rules and tournaments
    tournament  plays bots against each other: schedules, referees, statistics, reports
    dialects    protocols on a port: JSON lines; HTTP with the web API of Tab, streams and the page
    client      connections to a server, the loop of a bot, the terminal, verification of matches
    server      core: the rules of playing together, pure; storage: the database;
                net: sockets and time (trio); admin: requests of the operator
    protocol    commands and frames, JSON, dice; pure
    games       the rules of every kind of game; pure
    errors      every error, and its code
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabnet.cli.bot import run_bot
    from tabnet.client.connection import Client, connect
    from tabnet.client.dialogue import state_of
    from tabnet.games import GAMES
    from tabnet.games.api import Move, State

__all__ = ["GAMES", "Client", "Move", "State", "connect", "run_bot", "state_of"]

_HOMES = {
    "GAMES": "tabnet.games",
    "Client": "tabnet.client.connection",
    "Move": "tabnet.games.api",
    "State": "tabnet.games.api",
    "connect": "tabnet.client.connection",
    "run_bot": "tabnet.cli.bot",
    "state_of": "tabnet.client.dialogue",
}
"""Where the public names live; loaded when first asked for, so that `tabnet --help` is quick."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
