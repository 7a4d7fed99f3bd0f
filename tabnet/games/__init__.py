"""Every kind of game, one package each. No I/O, no clock, no randomness.

`GAMES` maps each kind to its `Game`; `tabnet.games.api` is the contract of all kinds. The packages
do not import each other, and have the same modules:

    board       the pieces, the places and the moves
    state       positions and the rules
    view, load  writing positions as JSON values and as text, and reading them
    refusals    the reasons why moves are illegal, and the codes of refusals
    fields      the options, the fields of commands with their help, and examples of command lines
    drawing     a position drawn for a terminal
    texts       the sentences that describe events and endings
    input       moves as a person types them
    check       the positions in which `tabnet check` tries a bot
    game        the `Game`, which gathers all of these
    manual.md   its chapter of the manual: states, moves and options

A small kind has its pieces and its view in `state`. Every kind may import the modules of this
package that belong to no kind: `random_numbers`, `checked_json`, `terminal` and others.

A new kind needs its package, its place in `GAMES`, its board for the page, its section of
protocol.md and its tests.
"""

from __future__ import annotations

from tabnet.games.api import Game
from tabnet.games.draughts import DRAUGHTS
from tabnet.games.fish import FISH
from tabnet.games.plakoto import PLAKOTO
from tabnet.games.tab import TAB

GAMES: dict[str, Game] = {game.kind: game for game in (TAB, DRAUGHTS, FISH, PLAKOTO)}

DEFAULT_KIND = TAB.kind
"""The kind of a `join` that names none."""

__all__ = ["DEFAULT_KIND", "GAMES"]
