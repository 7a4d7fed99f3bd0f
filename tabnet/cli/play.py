"""`tabnet play`: play a game in this terminal."""

from __future__ import annotations

import argparse
import secrets
import shlex
from typing import TYPE_CHECKING, Any

from tabnet.cli.kind_options import add_kind, add_options, add_seats, options_of, require_kind
from tabnet.cli.server_options import (
    add_identity,
    add_server,
    connected,
    password,
    run_alone,
)

if TYPE_CHECKING:
    from tabnet.cli.session import Session
    from tabnet.client.connection import Client

SUMMARY = "play a game in this terminal"
DESCRIPTION = """\
Play a game: against whoever asks for the same on a server, or with --opponent against a bot.
Without --server a server is started for it, and without a bot two people share this keyboard.
Cells are typed as the board shows them; Enter alone does what is the only thing to do, the Tab key
completes, and `help` tells the words.
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
    """The options of `tabnet play`."""
    from tabnet.protocol.fields import MOST_SEATS

    add_server(
        parser,
        nargs="?",
        const="127.0.0.1:45678",
        default=None,
        help="play on this server: host:port, or tcp://host:port (alone: %(const)s)",
    )
    add_identity(parser)
    add_kind(parser)
    add_seats(parser)
    add_options(parser)
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
        "--increment", type=float, metavar="S", help="with --total: more after each turn"
    )
    parser.add_argument(
        "--strict", action="store_true", default=None, help="who makes an illegal move is out"
    )
    parser.add_argument(
        "--private", action="store_true", default=None, help="only who has the invite can join"
    )
    parser.add_argument("--invite", help="join the private game of this invite")
    parser.add_argument("--game", help="come back to this game, with --nick")
    parser.add_argument("--token", help="the seat's token, instead of --password, with --game")


def run(args: argparse.Namespace) -> int:
    """Play to the end; the exit code comes back."""
    from tabnet.errors import StartError

    if args.increment is not None and args.total is None:
        raise StartError("--increment is for a total time", hint="--total")
    if args.server is not None:
        return _run(args, _back if args.game else _join)
    for option in ("nick", "game", "ca", "fingerprint", "private", "invite", *_FOR_ONE):
        if getattr(args, option) is not None and not (args.opponent and option in _FOR_ONE):
            raise StartError(f"--{option} is for a game on a server", hint="--server")
    return _run_alone(args)


_FOR_ONE = ("seat", "strict")
"""What one may ask for against a bot as well."""


def _run_alone(args: argparse.Namespace) -> int:
    """Play on a server of one's own, against a bot or against who sits beside."""
    from tabnet.cli.own_server import own_server
    from tabnet.tournament.play.bots.house_bot_processes import opponents

    args.retry_for = 0
    if args.opponent is None:
        with own_server("none") as args.server:
            return _run(args, _sit_down_together)
    bot = args.opponent
    args.opponent = opponents([bot])[0].name
    with own_server(bot) as args.server:
        return _run(args, _join_alone)


def _run(args: argparse.Namespace, begin: Any) -> int:
    secret = password(args) if args.nick and not args.token else None

    async def main() -> int:
        async with connected(args) as client:
            if secret is not None:
                await client.register(args.nick, secret)
            session: Session = await begin(client, args)
            return await session.run()

    return run_alone(main)


async def _join(client: Client, args: argparse.Namespace) -> Session:
    """A seat of one's own, against whoever comes."""
    from tabnet.cli.session import Session

    joined = await client.join(**wanted(args), salted=_has_dice(args))
    terms = ["--invite", joined.invite] if joined.invite else ["--group", args.group, *_terms(args)]
    about = "another player joins with: " + _command(args, *terms)
    way = _command(args, "--game", joined.game, "--nick", joined.nick, "--token", joined.token)
    back = f"Your seat is kept, and its clock runs. To come back: {way}"
    return Session(client, joined.game, {joined.nick: joined.token}, about, back)


async def _join_alone(client: Client, args: argparse.Namespace) -> Session:
    """A seat against a bot, on a server that ends with this program."""
    session = await _join(client, args)
    session.back = ""
    return session


async def _back(client: Client, args: argparse.Namespace) -> Session:
    """A seat that one had before."""
    from tabnet.cli.session import Session
    from tabnet.errors import StartError

    if args.nick is None:
        raise StartError("whose seat is it?", hint="--nick, and --token or --password")
    await client.follow(args.game)
    way = _command(args, "--game", args.game, "--nick", args.nick)
    way += f" --token {args.token}" if args.token else ""
    back = f"Your seat is kept, and its clock runs. To come back: {way}"
    return Session(client, args.game, {args.nick: args.token}, "", back)


async def _sit_down_together(client: Client, args: argparse.Namespace) -> Session:
    """All seats of one game, for people at one keyboard."""
    from tabnet.cli.session import Session

    seats: dict[str, str | None] = {}
    game = ""
    for colour in require_kind(args.kind).colours[: args.seats or 2]:
        await client.register(colour, secrets.token_hex())
        joined = await client.join(**wanted(args))
        game, seats[colour] = joined.game, joined.token
    return Session(client, game, seats, "", "")


def wanted(args: argparse.Namespace) -> dict[str, Any]:
    """The fields of the join."""
    from tabnet.client.client_state import without_none

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
        **options_of(args),
        seat=args.seat,
        clock=clock or None,
        strict=args.strict,
        private=args.private,
        opponent=args.opponent,
    )


def _has_dice(args: argparse.Namespace) -> bool:
    """Whether a salt makes sense; what an invite is to is not known before."""
    from tabnet.games import GAMES

    return args.invite is None and args.kind in GAMES and GAMES[args.kind].has_dice


def _terms(args: argparse.Namespace) -> list[Any]:
    """The options that another player needs to be paired."""
    terms = ["--kind", args.kind]
    others = {name: getattr(args, name) for name in ("seats", "clock", "total", "increment")}
    for option, value in {**options_of(args), **others}.items():
        if value is not None:
            terms += [f"--{option}", f"{value:g}"]
    return [*terms, "--strict"] if args.strict else terms


def _command(args: argparse.Namespace, *options: Any) -> str:
    """A command line that plays on the same server."""
    trust = [
        part
        for option in ("ca", "fingerprint")
        if (value := getattr(args, option)) is not None
        for part in (f"--{option}", value)
    ]
    command = ["tabnet", "play", "--server", args.server, *trust, *options]
    return shlex.join(map(str, command))
