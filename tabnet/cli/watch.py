"""`tabnet watch`: watch a game in this terminal, or list what is played."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tabnet.cli.server_options import add_server, connected, run_alone
from tabnet.client.plain_text import clean_lines

if TYPE_CHECKING:
    from tabnet.protocol.frames import ListedGame, ListedWait, Listing

SUMMARY = "watch a game, or list those that are played"
DESCRIPTION = """\
Watch a game until it is over. Without a game: list those that are being played, and what players
wait for.
"""
EXAMPLE = """\
examples:
  tabnet watch
  tabnet watch fa93b40c7d21e658
  tabnet watch fa93b40c7d21e658 --server tcp://127.0.0.1:45679
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `tabnet watch`."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="which game")
    add_server(parser)


def run(args: argparse.Namespace) -> int:
    """Watch to the end; the exit code comes back."""

    async def watch() -> int:
        from tabnet.cli.session import Session

        async with connected(args) as client:
            await client.follow(args.game)
            back = f"To watch again: tabnet watch {args.game} --server {args.server}"
            return await Session(client, args.game, {}, "", back).run()

    async def listing() -> int:
        from tabnet.protocol.messages import Games

        async with connected(args) as client:
            print(listed(await client.ask(Games())))
        return 0

    return run_alone(listing if args.game is None else watch)


def listed(listing: Listing) -> str:
    """What is played and what is waited for, a line each."""
    lines = [
        f"{running.game}  {_what(running)}  {' - '.join(running.players)}, {running.seq} events"
        for running in listing.games
    ]
    for waiting in listing.waiting:
        clock = " ".join(f"{name} {value:g}" for name, value in waiting.clock.items())
        lines.append(f"waiting{'':9}  {_what(waiting)}, {clock}")
    return clean_lines(lines or ["Nothing is being played, and nobody waits."])


def _what(game: ListedGame | ListedWait) -> str:
    options = "".join(f" {name} {value}" for name, value in game.options.items())
    return f"{game.kind}{options}" + (f" group {game.group}" if game.group is not None else "")
