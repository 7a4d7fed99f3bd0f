"""`tabnet admin`: what an operator does to a data folder, with a server running on it or not."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path

SUMMARY = "look after a server's data"
DESCRIPTION = """\
Look after the data folder of a server, whether the server is running or not: a running one carries
out what is ordered, and answers.
"""
EXAMPLE = """\
examples:
  tabnet admin backup /var/backups/tabnet.db
  tabnet admin reset-password zp
  tabnet admin ban zp --reason "plays with two nicks"
  tabnet admin ban zp --lift
  tabnet admin end fa93b40c7d21e658
  tabnet admin prune --days 90
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The subcommands of `tabnet admin`."""
    tasks = parser.add_subparsers(required=True, metavar="TASK")
    backup = _task(tasks, "backup", _backup, "copy the database, as it is at one moment")
    backup.add_argument("file", type=Path, metavar="FILE", help="the copy; it must not exist yet")
    reset = _task(tasks, "reset-password", _reset, "give a nick another password")
    reset.add_argument("nick", metavar="NICK")
    reset.add_argument("--password", help="the new one (a random one, which is printed)")
    ban = _task(tasks, "ban", _ban, "let a nick in no more: it loses its games")
    ban.add_argument("nick", metavar="NICK")
    ban.add_argument("--reason", default="no reason given", help="what the nick is told")
    ban.add_argument("--lift", action="store_true", help="let it in again")
    end = _task(tasks, "end", _end, "end a game, or a wait, without a winner")
    end.add_argument("game", metavar="GAME")
    prune = _task(tasks, "prune", _prune, "delete games that ended long ago; rankings stay")
    prune.add_argument("--days", type=days, required=True, help="how long ago")


def days(text: str) -> float:
    """How many days, for argparse."""
    number = float(text)
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text} is no number of days")
    return number


def _task(
    tasks: argparse._SubParsersAction[argparse.ArgumentParser], name: str, run: object, help: str
) -> argparse.ArgumentParser:
    parser = tasks.add_parser(name, help=help, description=f"{help.capitalize()}.")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="the server's data folder (the user's data)"
    )
    parser.set_defaults(task=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Do it, and say what was done."""
    from tabnet.client.address import data_folder

    print(args.task(args.data or data_folder(), args))
    return 0


def _backup(folder: Path, args: argparse.Namespace) -> str:
    from tabnet.server.admin.maintenance import backup

    backup(folder, args.file)
    return f"{args.file} has everything that is in {folder} but the certificate"


def _prune(folder: Path, args: argparse.Namespace) -> str:
    from tabnet.server.admin.maintenance import prune

    return f"deleted games: {prune(folder, args.days).matches}"


def _reset(folder: Path, args: argparse.Namespace) -> str:
    from tabnet.server.admin.execute import carry_out
    from tabnet.server.net.passwords import SALT_BYTES, scrypt

    password = args.password or secrets.token_urlsafe(9)
    salt = secrets.token_bytes(SALT_BYTES)
    digest = scrypt(password, salt)
    done = carry_out(
        folder,
        {"do": "reset-password", "nick": args.nick, "salt": salt.hex(), "digest": digest.hex()},
    )
    return done if args.password else f"{done}: {password}"


def _ban(folder: Path, args: argparse.Namespace) -> str:
    from tabnet.server.admin.execute import carry_out

    reason = None if args.lift else args.reason
    return carry_out(folder, {"do": "ban", "nick": args.nick, "reason": reason})


def _end(folder: Path, args: argparse.Namespace) -> str:
    from tabnet.server.admin.execute import carry_out

    return carry_out(folder, {"do": "end", "game": args.game})
