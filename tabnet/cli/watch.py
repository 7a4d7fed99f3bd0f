"""`tabnet watch`: watch a game in this terminal, or list the running games."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tabnet.cli.json_output import add_json_option, print_json
from tabnet.cli.options.server_options import add_server_options, run_with_client
from tabnet.client.safe_text import clean_lines
from tabnet.protocol.codec import dump_frame
from tabnet.protocol.frames import ListedGame, ListedWait, Listing
from tabnet.protocol.messages import Games

if TYPE_CHECKING:
    from tabnet.client.trio_client import Client

DESCRIPTION = """\
Watch a game until it is over. Without a game, list the running games and the waits.
"""
EXAMPLE = """\
examples:
  tabnet watch
  tabnet watch fa93b40c7d21e658
  tabnet watch fa93b40c7d21e658 --server tcp://127.0.0.1:45679
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="the id of the game")
    add_json_option(parser)
    add_server_options(parser)


def run(args: argparse.Namespace) -> int:
    async def print_updates(client: Client) -> int:
        await client.follow(args.game)
        async for update in client.updates(args.game):
            print_json(update=dump_frame(update))
        return 0

    async def watch_game(client: Client) -> int:
        from tabnet.cli.game_session import GameSession

        await client.follow(args.game)
        back = f"To continue watching: tabnet watch {args.game} --server {args.server}"
        return await GameSession(client, args.game, {}, "", back).run()

    if args.game is not None:
        return run_with_client(args, print_updates if args.json else watch_game)
    listing = run_with_client(args, lambda client: client.ask(Games()))
    if args.json:
        fields = dump_frame(listing)
        print_json(games=fields["games"], waiting=fields["waiting"])
    else:
        print(format_listing(listing))
    return 0


def format_listing(listing: Listing) -> str:
    lines = [
        f"{running.game}  {_describe_game(running)}  "
        f"{' - '.join(running.players)}, {running.seq} events"
        for running in listing.games
    ]
    for waiting in listing.waiting:
        clock = " ".join(f"{name} {value:g}" for name, value in waiting.clock.items())
        lines.append(f"waiting{'':9}  {_describe_game(waiting)}, {clock}")
    return clean_lines(lines or ["No game is being played, and no player waits."])


def _describe_game(game: ListedGame | ListedWait) -> str:
    options = "".join(f" {name} {value}" for name, value in game.options.items())
    return f"{game.kind}{options}" + (f" group {game.group}" if game.group is not None else "")
