"""The options of all commands that connect to a server: address, trust, and login."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Coroutine
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tabnet.client.address import Address
from tabnet.errors import StartError

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from trio.abc import Clock

    from tabnet.client.trio_client import Client

RETRY_S = 60.0

T = TypeVar("T")


def add_server_options(parser: argparse.ArgumentParser, **server: Any) -> None:
    """Add `--server` and the options of trust; `server` replaces arguments of `--server`."""
    parser.add_argument(
        "--server",
        metavar="ADDRESS",
        type=check_address,
        **{"default": "127.0.0.1:45678", "help": "host:port, or tcp://host:port (%(default)s)"}
        | server,
    )
    parser.add_argument("--ca", type=Path, metavar="FILE", help="a certificate to trust, in PEM")
    parser.add_argument(
        "--fingerprint", metavar="HEX", help="the certificate's SHA-256, as the server prints it"
    )
    parser.add_argument(
        "--retry-for",
        type=float,
        default=RETRY_S,
        metavar="S",
        help="the time limit for reconnecting after a lost connection (%(default)g s)",
    )


def add_identity_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nick", help="your name (a guest)")
    parser.add_argument(
        "--password", help="the password of the nick; without it, tabnet asks for it"
    )


def add_port(parser: argparse._ActionsContainer, option: str, default: int, protocol: str) -> None:
    help = f"port for {protocol}; 0 for any free port (%(default)s)"
    parser.add_argument(option, type=port, default=default, help=help)


def port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{number} is not a port: 0 to 65535")
    return number


def check_address(text: str) -> str:
    try:
        Address.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def ask_for_password(args: argparse.Namespace) -> str:
    """Return the given password, or ask for it."""
    if args.password is None and not sys.stdin.isatty():
        raise StartError(f"{args.nick} needs a password", hint="--password")
    try:
        return str(args.password or getpass(f"Password of {args.nick}: "))
    except EOFError:
        raise StartError(f"{args.nick} needs a password") from None


def connect_to_server(args: argparse.Namespace) -> AbstractAsyncContextManager[Client]:
    from tabnet.client.trio_client import connect

    return connect(args.server, ca=args.ca, fingerprint=args.fingerprint, retry_for=args.retry_for)


def run_with_client(args: argparse.Namespace, use: Callable[[Client], Coroutine[Any, Any, T]]) -> T:
    """Return the result of `use` with a client of the server on the command line."""

    async def main() -> T:
        async with connect_to_server(args) as client:
            return await use(client)

    return run_alone(main)


def run_alone(main: Callable[[], Coroutine[Any, Any, T]], clock: Clock | None = None) -> T:
    """Run `main` in trio; an error that comes out of nurseries is raised as itself."""
    import trio

    try:
        return trio.run(main, clock=clock)
    except BaseExceptionGroup as group:
        raise find_first_error(group) from None


def find_first_error(error: BaseException) -> BaseException:
    return find_first_error(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error
