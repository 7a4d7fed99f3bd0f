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
