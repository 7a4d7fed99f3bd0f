"""tabnet: a network referee and arena for board games with dice.

The map of the house, each room importing only from those below it:

    cli         the `tabnet` command: where parts are put together
    server      the referee: matches, pairing, accounts, ranking; a pure service, a thin trio hub
    protocol    the wire: messages, frames, and how they become bytes; pure
    games       the rules of every game; pure
    errors      what is refused, and why
"""

from tabnet.games import GAMES

__all__ = ["GAMES"]
