"""`tabnet verify`: check a finished match from its updates."""

from __future__ import annotations

import argparse

from tabnet.cli.match_loader import add_match_options, load_updates
from tabnet.client.safe_text import clean_lines
from tabnet.client.terminal.game_screen import GameScreen
from tabnet.client.verify import Verified, verify
from tabnet.games import GAMES

DESCRIPTION = """\
Check a finished match from its updates alone: every event by the rules, every throw from the
secret that the server committed to, every position, clock and number. The exit code is 0 if all is
right. Otherwise the first error is printed, and the exit code is 1.
"""
EXAMPLE = """\
examples:
  tabnet verify fa93b40c7d21e658.jsonl
  tabnet verify fa93b40c7d21e658 --server example.org:45678
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_match_options(parser)


def run(args: argparse.Namespace) -> int:
    updates = load_updates(args)
    verified = verify(updates)
    screen = GameScreen()
    screen.show_update(updates[-1], 0)
    print(clean_lines([*describe_verified_match(verified), screen.result_sentence]))
    return 0


def describe_verified_match(verified: Verified) -> list[str]:
    game = GAMES[verified.kind]
    options = "".join(f", {name} {value}" for name, value in verified.options.items())
    players = " against ".join(f"{colour} ({nick})" for nick, colour in verified.players.items())
    lines = [
        f"Verified: {verified.game}, {game.title}{options}: {players}",
        f"{verified.events} updates: none is missing, every event and every position is right.",
    ]
    if game.has_dice:
        throws = f"{verified.throws} throws: the server committed to all of them before the first."
        lines += [throws, _describe_salts(verified.salted)]
    elif game.uses_chance:
        lines.append("The dealt board is the one that the server committed to.")
    return lines


def _describe_salts(nicks: tuple[str, ...]) -> str:
    if not nicks:
        return "No player salted the dice: you have to trust that the server drew them at random."
    names = " and ".join(nicks)
    return f"Salted by {names} after the commitment: the server could not foresee the throws."
