"""The options of everything that talks to a server: where it is, why to trust it, and who plays."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from tabnet.client.connection import Client

RETRY_S = 60.0
FISH = {
    "rows": "how many rows the board has (5)",
    "cols": "how many columns the board has (5)",
    "fish": "how many are on every tile (1 to 5, at random)",
    "holes": "how many places have no tile (0)",
}
KINDS = "tab, draughts, fish or plakoto"

T = TypeVar("T")


def add_server(parser: argparse.ArgumentParser, **server: Any) -> None:
    """`--server` and what is needed to reach it; `server` are the arguments of that one option."""
    parser.add_argument(
        "--server",
        metavar="ADDRESS",
        type=address,
        **{"default": "127.0.0.1:45678", "help": "host:port, or tcp://host:port (%(default)s)"}
        | server,
    )
    parser.add_argument("--ca", type=Path, metavar="FILE", help="a certificate to trust")
    parser.add_argument(
        "--fingerprint", metavar="HEX", help="the certificate's SHA-256, as the server prints it"
    )
    parser.add_argument(
        "--retry-for",
        type=float,
        default=RETRY_S,
        metavar="S",
        help="how long to try to come back after a lost connection (%(default)g s)",
    )


def add_kind(parser: argparse.ArgumentParser) -> None:
    """`--kind`."""
    parser.add_argument("--kind", default="tab", help=f"which game: {KINDS} (%(default)s)")


def add_fish(parser: argparse.ArgumentParser) -> None:
    """The options of Fish."""
    for option, means in FISH.items():
        parser.add_argument(f"--{option}", type=int, metavar="N", help=f"Fish: {means}")


def add_identity(parser: argparse.ArgumentParser) -> None:
    """`--nick` and `--password`."""
    parser.add_argument("--nick", help="play under this name (as a guest)")
    parser.add_argument("--password", help="the nick's password; asked for if it is left out")


def port(text: str) -> int:
    """Return a port number, for argparse."""
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{number} is no port: 0 to 65535")
    return number


def address(text: str) -> str:
    """An address of a server, for argparse."""
    from tabnet.client.address import Address

    try:
        Address.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def password(args: argparse.Namespace) -> str:
    """The password given, or typed now."""
    from getpass import getpass

    from tabnet.errors import StartError

    if args.password is None and not sys.stdin.isatty():
        raise StartError(f"{args.nick} needs a password", hint="--password")
    try:
        return str(args.password or getpass(f"Password of {args.nick}: "))
    except EOFError:
        raise StartError(f"{args.nick} needs a password") from None


def size(args: argparse.Namespace) -> int | None:
    """The size that was asked for, or the usual one of a kind that has sizes."""
    from attrs import asdict

    from tabnet.games import GAMES

    if args.size is None and args.kind in GAMES:
        usual: int | None = asdict(GAMES[args.kind].options()).get("size")
        return usual
    asked: int | None = args.size
    return asked


def connected(args: argparse.Namespace) -> AbstractAsyncContextManager[Client]:
    """A client of the server that the options name."""
    from tabnet.client.connection import connect

    return connect(args.server, ca=args.ca, fingerprint=args.fingerprint, retry_for=args.retry_for)


def run_alone(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """`trio.run`, with an error that comes out of nurseries raised as itself."""
    import trio

    try:
        return trio.run(main)
    except BaseExceptionGroup as group:
        raise first(group) from None


def first(error: BaseException) -> BaseException:
    """The first error in a group that is no group itself."""
    return first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error
