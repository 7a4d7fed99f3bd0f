"""`tabnet play`: play a game in this terminal."""

from __future__ import annotations

import argparse
import secrets
import shlex
from functools import partial
from typing import TYPE_CHECKING, Any

from tabnet.cli.options.kind_options import (
    add_game_options,
    add_kind_option,
    add_seats_option,
    read_game_options,
    require_kind,
)
from tabnet.cli.options.server_options import (
    add_identity_options,
    add_server_options,
    ask_for_password,
    connect_to_server,
    run_alone,
)
from tabnet.client.client_state import without_none
from tabnet.errors import StartError
from tabnet.games import GAMES
from tabnet.protocol.fields import MOST_SEATS

if TYPE_CHECKING:
    from tabnet.cli.game_session import GameSession
    from tabnet.client.trio_client import Client

DESCRIPTION = """\
Play a game on a server against the first opponent that asks for the same game, or with --opponent
against a bot. Without --server, tabnet starts a server for this game; without a bot, two people
share this keyboard. Type cells as the board shows them. Enter alone plays the only legal action,
the Tab key completes, and `help` lists the words.
"""
EXAMPLE = """\
examples:
  tabnet play
  tabnet play --opponent greedy
  tabnet play --server --group 7 --nick zp
  tabnet play --server tcp://127.0.0.1:45679 --total 600 --increment 5
  tabnet play --server example.org:45678 --private
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_server_options(
        parser,
        nargs="?",
        const="127.0.0.1:45678",
        default=None,
        help="play on this server: host:port, or tcp://host:port (without a value: %(const)s)",
    )
    add_identity_options(parser)
    add_kind_option(parser)
    add_seats_option(parser)
    add_game_options(parser)
    parser.add_argument("--group", type=int, default=1, help="play within a group (%(default)s)")
    seats = range(MOST_SEATS)
    parser.add_argument("--seat", type=int, choices=seats, help="0 plays first, 1 second, ...")
    parser.add_argument(
        "--opponent",
        metavar="BOT",
        help="play against a bot of the server, or without --server a file, folder or name",
    )
    clock = parser.add_mutually_exclusive_group()
    clock.add_argument("--clock", type=float, metavar="S", help="seconds for each move")
    clock.add_argument("--total", type=float, metavar="S", help="seconds for the whole game")
    parser.add_argument(
        "--increment", type=float, metavar="S", help="with --total: seconds added after each turn"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        default=None,
        help="a player who makes an illegal move loses",
    )
    parser.add_argument(
        "--private",
        action="store_true",
        default=None,
        help="only a player with the invite can join",
    )
    parser.add_argument("--invite", help="join the private game of this invite")
    parser.add_argument("--game", help="return to this game, with --nick")
    parser.add_argument("--token", help="the seat's token, instead of --password, with --game")


def run(args: argparse.Namespace) -> int:
    if args.increment is not None and args.total is None:
        raise StartError("--increment needs a total time", hint="--total")
    if args.server is not None:
        secret = ask_for_password(args) if args.nick and not args.token else None
        return run_alone(
            partial(_play, args, _return_to_seat if args.game else _join_on_server, secret)
        )
    for option in ("nick", "game", "ca", "fingerprint", "private", "invite", *_ALSO_AGAINST_BOTS):
        if getattr(args, option) is not None and not (
            args.opponent and option in _ALSO_AGAINST_BOTS
        ):
            raise StartError(f"--{option} is for a game on a server", hint="--server")
    return _play_on_own_server(args)


_ALSO_AGAINST_BOTS = ("seat", "strict")
"""Options for games on a server that are also allowed with --opponent."""


def _play_on_own_server(args: argparse.Namespace) -> int:
    """Play on a temporary server, against a bot or with two people at one keyboard."""
    from tabnet.cli.temporary_server import run_own_server
    from tabnet.server.net.server_clock import ServerClock
    from tabnet.tournament.play.bots.house_bot_processes import find_house_bots

    args.retry_for = 0
    bots = find_house_bots([] if args.opponent is None else [args.opponent])
    begin = _join_bot if bots else _join_all_seats
    args.opponent = bots[0].name if bots else None

    async def main() -> int:
        async with run_own_server(bots) as args.server:
            return await _play(args, begin)

    return run_alone(main, ServerClock())


async def _play(args: argparse.Namespace, begin: Any, secret: str | None = None) -> int:
    async with connect_to_server(args) as client:
        if secret is not None:
            await client.register(args.nick, secret)
        session: GameSession = await begin(client, args)
        return await session.run()


async def _join_on_server(client: Client, args: argparse.Namespace) -> GameSession:
    from tabnet.cli.game_session import GameSession

    joined = await client.join(**make_join_fields(args), salted=_can_salt_dice(args))
    terms = (
        ["--invite", joined.invite]
        if joined.invite
        else ["--group", args.group, *_list_pairing_options(args)]
    )
    about = "another player joins with: " + _format_command_line(args, *terms)
    command = _format_command_line(
        args, "--game", joined.game, "--nick", joined.nick, "--token", joined.token
    )
    back = f"Your seat is kept, and your clock runs. To return: {command}"
    return GameSession(client, joined.game, {joined.nick: joined.token}, about, back)


async def _join_bot(client: Client, args: argparse.Namespace) -> GameSession:
    """Join a game against a bot, on a server that ends with this program."""
    session = await _join_on_server(client, args)
    session.back = ""
    return session


async def _return_to_seat(client: Client, args: argparse.Namespace) -> GameSession:
    from tabnet.cli.game_session import GameSession

    if args.nick is None:
        raise StartError("--game needs --nick", hint="and --token or --password")
    await client.follow(args.game)
    command = _format_command_line(args, "--game", args.game, "--nick", args.nick)
    command += f" --token {args.token}" if args.token else ""
    back = f"Your seat is kept, and your clock runs. To return: {command}"
    return GameSession(client, args.game, {args.nick: args.token}, "", back)


async def _join_all_seats(client: Client, args: argparse.Namespace) -> GameSession:
    from tabnet.cli.game_session import GameSession

    seats: dict[str, str | None] = {}
    game = ""
    for colour in require_kind(args.kind).colours[: args.seats or 2]:
        await client.register(colour, secrets.token_hex())
        joined = await client.join(**make_join_fields(args))
        game, seats[colour] = joined.game, joined.token
    return GameSession(client, game, seats, "", "")


def make_join_fields(args: argparse.Namespace) -> dict[str, Any]:
    if args.total is not None:
        clock = without_none(total=args.total, increment=args.increment)
    else:
        clock = without_none(move=args.clock)
    if args.invite is not None:
        return without_none(invite=args.invite, seat=args.seat, opponent=args.opponent)
    return without_none(
        kind=args.kind,
        group=args.group,
        seats=args.seats,
        **read_game_options(args),
        seat=args.seat,
        clock=clock or None,
        strict=args.strict,
        private=args.private,
        opponent=args.opponent,
    )


def _can_salt_dice(args: argparse.Namespace) -> bool:
    """Return whether the game has dice that a salt can protect; with an invite this is unknown."""
    return args.invite is None and args.kind in GAMES and GAMES[args.kind].has_dice


def _list_pairing_options(args: argparse.Namespace) -> list[Any]:
    """Return the options with which another player is paired with this one."""
    terms = ["--kind", args.kind]
    others = {name: getattr(args, name) for name in ("seats", "clock", "total", "increment")}
    for option, value in {**read_game_options(args), **others}.items():
        if value is not None:
            terms += [f"--{option}", f"{value:g}"]
    return [*terms, "--strict"] if args.strict else terms


def _format_command_line(args: argparse.Namespace, *options: Any) -> str:
    command = ["tabnet", "play", "--server", args.server]
    for option in ("ca", "fingerprint"):
        if getattr(args, option) is not None:
            command += [f"--{option}", getattr(args, option)]
    return shlex.join(map(str, [*command, *options]))
