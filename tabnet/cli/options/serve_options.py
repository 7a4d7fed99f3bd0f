"""The options of `tabnet serve`, and their values as the server needs them."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from tabnet.cli.config_file import read_config
from tabnet.cli.options.bot_process_options import add_limit_options, add_process_options
from tabnet.cli.options.dialect_options import configure_dialects
from tabnet.cli.options.server_options import add_port
from tabnet.cli.options.web_options import configure_web
from tabnet.client.address import find_data_folder
from tabnet.errors import StartError
from tabnet.server.core.costs.limits import Limits
from tabnet.server.net.certificate import Files, ensure_own_files

USUAL_HOUSE = "random,greedy,expectimax"
NO_BOT = "none"
HOUSE_GAMES = 8
MAX_HOUSE_GAMES = 999
NEXT_BOT = re.compile(r",(?![^:,]*=)")
"""The comma before a bot; a comma before `name=value` separates options of a bot."""

LIMITS = {
    "max_connections": ("connections", "concurrent connections"),
    "max_per_address": ("per_address", "concurrent connections from one address, or one IPv6 /64"),
    "max_commands": ("commands_per_s", "commands a second on one connection"),
    "max_games": ("games_per_nick", "games and waits of one nick"),
    "max_address_bytes": ("bytes_per_s_per_address", "bytes a second of responses to one address"),
    "max_waits": ("waits", "waits of one connection, and of one address"),
    "max_registrations": (
        "registrations_per_h",
        "new nicks of one connection, and of one address, in an hour",
    ),
    "max_line": ("line_bytes", "bytes in a command line"),
}
"""Option -> the name of the limit in `Limits`, and the help."""


def read_options(args: argparse.Namespace) -> argparse.Namespace:
    """Return the options of the command line, and those of the file that --config names."""
    if args.config is None:
        return args
    options = read_config(args.config, add_serve_options, args.arguments)
    options.arguments = args.arguments
    return options


def add_serve_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="read options from the table [serve] of a TOML file; the command line overrides it",
    )
    parser.add_argument(
        "--print-unit",
        action="store_true",
        help="print a systemd unit that runs this command, and end",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address for TLS; 0.0.0.0 for all (%(default)s)"
    )
    add_port(parser, "--tls-port", 45678, "TLS")
    parser.add_argument(
        "--tcp-host", default="127.0.0.1", help="address for plain TCP (%(default)s)"
    )
    add_port(parser, "--tcp-port", 45679, "plain TCP")
    parser.add_argument(
        "--allow-plain",
        action="store_true",
        help="let other machines use plain TCP and HTTP, which do not encrypt passwords",
    )
    configure_web(parser.add_argument_group("web"))
    configure_dialects(parser.add_argument_group("other dialects"))
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="the folder of the database and the certificate (the user's data)",
    )
    parser.add_argument(
        "--sync",
        choices=("full", "normal"),
        default="full",
        help="full: a power cut loses nothing; normal: it may lose the last moment (%(default)s)",
    )
    parser.add_argument(
        "--memory", action="store_true", help="store no games and accounts, only the certificate"
    )
    parser.add_argument(
        "--registration",
        choices=("open", "closed"),
        default="open",
        help="closed: only `tabnet admin add` registers new nicks; guests can play (%(default)s)",
    )
    house = parser.add_argument_group("house bots")
    house.add_argument(
        "--house",
        action="append",
        metavar="BOTS",
        help="house bots: files, folders or names, with their options; "
        f"{NO_BOT} for no bot ({USUAL_HOUSE})",
    )
    house.add_argument(
        "--house-games",
        type=house_games,
        metavar="N",
        default=HOUSE_GAMES,
        help="concurrent games of each house bot, each in its own process (%(default)s)",
    )
    add_process_options(house)
    add_limit_options(house, prefix="house-")
    parser.add_argument("--cert", type=Path, metavar="FILE", help="your certificate, in PEM")
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help="its key, in PEM, without a password"
    )
    parser.add_argument(
        "--log", choices=("human", "json"), default="human", help="the format of logs (%(default)s)"
    )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning"),
        default="info",
        help="the least level that is logged (%(default)s)",
    )
    configure_limits(parser.add_argument_group("limits"))


def configure_limits(group: argparse._ArgumentGroup) -> None:
    defaults = Limits()
    for name, (field, text) in LIMITS.items():
        group.add_argument(
            f"--{name.replace('_', '-')}",
            type=positive,
            metavar="N",
            default=getattr(defaults, field),
            help=f"{text} (%(default)s)",
        )


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too small: at least 1")
    return number


def house_games(text: str) -> int:
    """Parse the number of concurrent games of a house bot, for argparse."""
    number = positive(text)
    if number > MAX_HOUSE_GAMES:
        raise argparse.ArgumentTypeError(f"{number} is too large: at most {MAX_HOUSE_GAMES}")
    return number


def list_house_bot_names(args: argparse.Namespace) -> list[str]:
    """Return the house bots, as named on the command line."""
    named = NEXT_BOT.split(",".join(args.house or [USUAL_HOUSE]))
    return [bot for bot in named if bot not in ("", NO_BOT)]


def make_limits(args: argparse.Namespace) -> Limits:
    """Return the limits of clients."""
    return Limits(**{field: getattr(args, name) for name, (field, _) in LIMITS.items()})


def choose_certificate_files(args: argparse.Namespace) -> Files:
    """Return the operator's certificate, or the one in the data folder."""
    if (args.cert is None) != (args.key is None):
        raise StartError("--cert and --key go together", hint="give both, or neither")
    if args.cert:
        return Files(args.cert, args.key)
    return ensure_own_files(args.data or find_data_folder())
