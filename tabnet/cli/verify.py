"""`tabnet verify`: whether a match was what it claims to be."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tabnet.cli.recorded import add_match, updates_of

if TYPE_CHECKING:
    from tabnet.client.verify import Verified

SUMMARY = "check a finished match: every move, every throw, every position"
DESCRIPTION = """\
Check a finished match from its updates alone: every event by the rules, every throw from the
secret that the server was bound to, every position, clock and number. Ends with 0 if all is right;
otherwise tells the first thing that is wrong, and ends with 1.
"""
EXAMPLE = """\
examples:
  tabnet verify fa93b40c7d21e658.jsonl
  tabnet verify fa93b40c7d21e658 --server example.org:45678
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet verify`."""
    add_match(parser)


def run(args: argparse.Namespace) -> int:
    """Verify and tell; the exit code comes back."""
    from tabnet.client.plain_text import clean_lines
    from tabnet.client.terminal.game_screen import GameScreen
    from tabnet.client.verify import verify

    updates = updates_of(args)
    verified = verify(updates)
    screen = GameScreen()
    screen.take(updates[-1], 0)
    print(clean_lines([*summary(verified), screen.result]))
    return 0


def summary(verified: Verified) -> list[str]:
    """What was checked, a line each."""
    from tabnet.games import GAMES

    game = GAMES[verified.kind]
    options = "".join(f", {name} {value}" for name, value in verified.options.items())
    players = " against ".join(f"{colour} ({nick})" for nick, colour in verified.players.items())
    lines = [
        f"Verified: {verified.game}, {game.title}{options}: {players}",
        f"{verified.events} updates: none is missing, every event and every position is right.",
    ]
    if game.has_dice:
        bound = "are those that the server was bound to before the first"
        lines += [f"{verified.throws} throws: they {bound}.", _salted(verified.salted)]
    elif game.uses_chance:
        lines.append("What was dealt is what the server was bound to.")
    return lines


def _salted(nicks: tuple[str, ...]) -> str:
    if not nicks:
        return "Nobody salted the dice: that they were drawn blindly rests on the server alone."
    whose = " and ".join(nicks)
    return f"Salted by {whose} after that: the server could not foresee the throws."
