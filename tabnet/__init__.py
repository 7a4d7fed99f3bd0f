"""tabnet: a network referee and arena for board games with dice.

The map of the house, each room importing only from those below it:

    cli         the `tabnet` command: where parts are put together
    bench       measuring, beside a yardstick
    tournament  the arena: a referee of its own, bots in processes, schedules, statistics, reports
    gateways    other doors: the original web API of Tab, native frames over HTTP, the page
    client      a player's side: knows the protocol and nothing of the server
    server      the referee: matches, pairing, accounts, ranking; a pure service, a thin trio hub
    protocol    the wire: messages, frames, and how they become bytes; pure
    games       the rules of every game; pure
    errors      what is refused, and why
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
