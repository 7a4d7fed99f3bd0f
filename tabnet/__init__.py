"""tabnet: a network referee and arena for board games with dice.

The packages, each importing only from those below it:

    cli         the `tabnet` command, one module for each subcommand; options: those of commands
    bench       benchmarks of the server, the rules and tournaments; cluster: those of Dask clusters
    tournament  records, plan and stats: games, schedules, ratings, tests; pure;
                play: the runner, referees, bot processes with their guards and sandboxes, and
                Dask clusters; report; check
    dialects    protocols on a port: JSON lines; HTTP with the original web API, streams, the page;
                the protocols of other servers, for one kind of game each
    client      connections to a server, the loop of a bot, the terminal, verification of matches
    server      core: the rules of playing together, pure; storage: the database;
                net: sockets and time (trio); admin: requests of the operator
    protocol    commands and frames, JSON, dice; pure
    games       the rules of every kind of game; pure
    errors      every error, and its code
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it: to import `typing` takes 5 ms

if TYPE_CHECKING:
    from tabnet.cli.bot import run_bot
    from tabnet.cli.play_tournament import play_tournament
    from tabnet.client.client_state import state_of
    from tabnet.client.trio_client import Client, connect
    from tabnet.games import GAMES
    from tabnet.games.api import Move, State

__all__ = ["GAMES", "Client", "Move", "State", "connect", "play_tournament", "run_bot", "state_of"]

__version__ = "0.2.0"

_MODULES = {
    "GAMES": "tabnet.games",
    "Client": "tabnet.client.trio_client",
    "Move": "tabnet.games.api",
    "State": "tabnet.games.api",
    "connect": "tabnet.client.trio_client",
    "play_tournament": "tabnet.cli.play_tournament",
    "run_bot": "tabnet.cli.bot",
    "state_of": "tabnet.client.client_state",
}
"""The module of each public name, imported at the first use: `tabnet --help` stays quick."""

if not TYPE_CHECKING:  # a type checker reads the imports above, and finds misspelt names

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_MODULES[name]), name)
