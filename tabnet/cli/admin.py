"""`tabnet admin`: tasks of an operator on a data folder, with a server running on it or not."""

from __future__ import annotations

import argparse
import json
import logging
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabnet.cli.json_output import add_json_option, format_json
from tabnet.cli.options.dialect_options import add_dialect_tasks
from tabnet.client.address import find_data_folder
from tabnet.client.safe_text import clean_line, clean_lines

DESCRIPTION = """\
Look after the data folder of a server, whether the server is running or not: a running server
executes the task and answers.
"""
EXAMPLE = """\
examples:
  tabnet admin list
  tabnet admin ban 192.0.2.0/24 --reason "a flood of games"
  tabnet admin backup /var/backups/tabnet.db
"""
GAME = "fa93b40c7d21e658"
"""The game of the examples."""


def configure(parser: argparse.ArgumentParser) -> None:
    tasks = parser.add_subparsers(required=True, dest="task", metavar="TASK")
    _add_task_parser(
        tasks, "list", "list matches, waits, players and set-aside matches", "", "--json"
    )
    end = _add_task_parser(tasks, "end", "end a match, or a wait, without a winner", GAME)
    end.add_argument("game", metavar="GAME")
    export = _add_task_parser(
        tasks, "export", "write the stored rows of a match as JSON lines", f"{GAME} > match.jsonl"
    )
    export.add_argument("game", metavar="GAME")
    ban = _add_task_parser(
        *(tasks, "ban", "ban a nick, which loses its games, or a range of addresses"),
        *('zp --reason "plays with two nicks"', "192.0.2.0/24", "2001:db8::/32"),
    )
    _add_ban_target(ban)
    ban.add_argument(
        "--reason", default="no reason given", help="the reason that the player is shown"
    )
    ban.add_argument("--lift", action="store_true", help="end the ban, as `unban` does")
    _add_ban_target(
        _add_task_parser(tasks, "unban", "end the ban of a nick or a range", "zp", "192.0.2.0/24")
    )
    for task, help in (
        ("add", "register a nick, also with `serve --registration closed`"),
        ("reset-password", "give a nick another password"),
    ):
        account = _add_task_parser(tasks, task, help, "zp", "zp --password secret")
        account.add_argument("nick", metavar="NICK")
        account.add_argument("--password", help="the password (a random one, which is printed)")
    backup = _add_task_parser(
        tasks, "backup", "copy the database, as it is at one moment", "/var/backups/tabnet.db"
    )
    backup.add_argument("file", type=Path, metavar="FILE", help="the copy; it must not exist yet")
    prune = _add_task_parser(
        tasks, "prune", "delete matches that ended long ago; rankings stay", "--days 90"
    )
    prune.add_argument("--days", type=parse_days, required=True, help="how long ago")
    add_dialect_tasks(tasks, _add_task_parser)


def _add_ban_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        metavar="NICK|ADDRESSES",
        help="a nick, an address, or a network like 192.0.2.0/24 or 2001:db8::/32",
    )
    parser.add_argument(
        "--nick", action="store_true", help="it is a nick, although it looks like an address"
    )


def parse_days(text: str) -> float:
    number = float(text)
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number of days")
    return number


def _add_task_parser(
    tasks: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    help: str,
    *examples: str,
) -> argparse.ArgumentParser:
    """Return the parser of a task; the `examples` are its arguments."""
    parser = tasks.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.")
    lines = (f"  {parser.prog} {arguments}".rstrip() for arguments in examples)
    parser.epilog = "\n".join(["examples:", *lines])
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="the server's data folder (the user's data)"
    )
    add_json_option(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    logging.getLogger("tabnet").addHandler(logging.NullHandler())  # `list` shows the same facts
    done = _execute_task(args, args.data or find_data_folder())
    if args.json:
        done = format_json(**(done if isinstance(done, dict) else {"done": done}))
    print(done if isinstance(done, str) else clean_lines(_format_list(done)))
    return 0


def _execute_task(args: argparse.Namespace, folder: Path) -> str | dict[str, Any]:
    """Execute the task, and return the text to print, or the list."""
    from tabnet.server.admin import export, maintenance, request_client

    match args.task:
        case "list":
            return request_client.list_games(folder)
        case "end":
            return clean_line(request_client.end_game(folder, args.game))
        case "export":
            rows = export.export_match(folder, args.game)
            if args.json:
                return {"rows": list(rows)}
            # ASCII has no characters that control a terminal.
            return "\n".join(map(json.dumps, rows))
        case "ban":
            return _ban(folder, args, None if args.lift else args.reason)
        case "unban":
            return _ban(folder, args, None)
        case "backup":
            maintenance.back_up(folder, args.file)
            return f"{args.file} has a copy of everything in {folder} except the certificate"
        case "prune":
            return f"deleted games: {maintenance.prune(folder, args.days).matches}"
        case _ if hasattr(args, "room"):
            return clean_line(request_client.announce_room(folder, args.room))
        case _:
            return _set_password(folder, args)


def _format_list(listed: dict[str, Any]) -> Iterator[str]:
    yield f"matches: {len(listed['matches'])}"
    for match in listed["matches"]:
        players = _join_nicks(match["players"])
        turn = f"{match['turn']} to act" if match["turn"] else "not started"
        yield f"  {match['game']}  {match['kind']}  {players}  update {match['seq']}, {turn}"
    yield f"waits: {len(listed['waits'])}"
    for wait in listed["waits"]:
        seats = f"{len(wait['players'])} of {wait['seats']} seats"
        private = ", private" if wait["private"] else ""
        yield f"  {wait['game']}  {wait['kind']}  {_join_nicks(wait['players'])}  {seats}{private}"
    yield f"players: {len(listed['players'])}"
    for player in listed["players"]:
        ban = "" if player["banned"] is None else f", banned: {player['banned']}"
        counts = f"connections: {player['connections']}, games: {len(player['games'])}"
        yield f"  {player['nick']}  {counts}{ban}"
    yield f"banned addresses: {len(listed['banned_addresses'])}"
    for ban in listed["banned_addresses"]:
        yield f"  {ban['range']}  {ban['reason']}"
    yield f"set aside: {len(listed['set_aside'])}"
    for match in listed["set_aside"]:
        yield f"  {match['game']}  {_join_nicks(match['players'])}  {match['reason']}"


def _join_nicks(nicks: list[str]) -> str:
    return " and ".join(nicks)


def _ban(folder: Path, args: argparse.Namespace, reason: str | None) -> str:
    from tabnet.server.admin import request_client
    from tabnet.server.core.players.banned_addresses import is_like_range

    is_range = not args.nick and is_like_range(args.target)
    ban = request_client.ban_addresses if is_range else request_client.ban
    return clean_line(ban(folder, args.target, reason))


def _set_password(folder: Path, args: argparse.Namespace) -> str:
    from tabnet.server.admin.request_client import set_password
    from tabnet.server.net.passwords import SALT_BYTES, digest_password

    password = args.password or secrets.token_urlsafe(9)
    salt = secrets.token_bytes(SALT_BYTES)
    digest = digest_password(password, salt)
    done = clean_line(set_password(folder, args.task, args.nick, salt, digest))
    return done if args.password else f"{done}: {password}"
