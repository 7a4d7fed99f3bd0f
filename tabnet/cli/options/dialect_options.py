"""The options of `tabnet serve` for the dialects of other servers' clients, one kind each."""

from __future__ import annotations

import argparse
from functools import cache, partial
from typing import TYPE_CHECKING

from tabnet.cli.options.server_options import port
from tabnet.errors import InvalidOptions, StartError
from tabnet.games.fish import FISH

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabnet.protocol.fields import Clock
    from tabnet.server.net.accepted_sockets import Dialect
    from tabnet.server.net.hub import Hub
    from tabnet.server.net.ports import PortSettings

DRAUGHTS_PORT = 44322
"""The port in the document that describes draughts in text lines."""
DRAUGHTS_CLOCK_S = 600
FISH_CLOCK_S = 120
PLAKOTO_CLOCK_S = 300
MAX_CLOCK_S = 24 * 3600
FISH_OPTIONS = {"rows": "rows", "cols": "cols", "number": "fish", "holes": "holes"}
"""The options of the board, and their names in a `join`."""


def configure_dialects(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--all-dialects",
        action="store_true",
        help=f"the same as --draughts-port {DRAUGHTS_PORT} --fish",
    )
    group.add_argument(
        "--draughts-port",
        type=port,
        metavar="PORT",
        help="also open a port for draughts in text lines over TLS, on --host (none)",
    )
    _add_clock(group, "draughts", DRAUGHTS_CLOCK_S, "for the whole game")
    _configure_fish(group)
    _add_clock(group, "plakoto", PLAKOTO_CLOCK_S, "for each move of Plakoto over REST")


def _configure_fish(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--fish",
        action="store_true",
        help="also serve Fish in JSON actions, without TLS on the port of TLS",
    )
    group.add_argument(
        "--fish-port",
        type=port,
        metavar="PORT",
        help="serve Fish in JSON actions on a port of its own, on --tcp-host (none)",
    )
    group.add_argument(
        "--fish-seats",
        type=int,
        choices=FISH.seats,
        default=FISH.seats[0],
        help="players of a game of Fish (%(default)s)",
    )
    for name, field in FISH_OPTIONS.items():
        of_join = FISH.fields.join[field]
        help = f"Fish: {of_join.wire.help} ({of_join.usual})"
        group.add_argument(f"--fish-{name}", type=int, metavar="N", help=help)
    _add_clock(group, "fish", FISH_CLOCK_S, "for each placement and move of Fish")
    group.add_argument(
        "--fish-invited",
        action="store_true",
        help="accept only the ids that `tabnet admin fish open ID` opens",
    )


def list_dialect_ports(args: argparse.Namespace) -> list[PortSettings]:
    """Return the ports of the other dialects, besides the one that Fish shares with TLS."""
    number, ports = args.draughts_port, []
    if number is None and args.all_dialects:
        number = DRAUGHTS_PORT
    if number is not None:
        ports.append(make_draughts_port(args, number))
    if args.fish_port is not None:
        ports.append(make_fish_port(args))
    return ports


def make_draughts_port(args: argparse.Namespace, number: int) -> PortSettings:
    from tabnet.dialects.draughts_text.dialect import DraughtsText
    from tabnet.server.net.ports import PortSettings

    # Both kinds of clients meet in the same rooms, so a hub has one dialect.
    dialect = cache(partial(DraughtsText, total_s=args.draughts_clock))
    return PortSettings(
        "draughts",
        args.host,
        number,
        dialect,
        is_tls=True,
        plain_dialect=(lambda hub: dialect(hub).for_own_machine()) if args.allow_plain else None,
    )


def make_fish_port(args: argparse.Namespace) -> PortSettings:
    from tabnet.server.net.ports import PortSettings

    return PortSettings("fish", args.tcp_host, args.fish_port, make_fish_dialect(args))


def find_dialects_beside_tls(args: argparse.Namespace) -> dict[str, Callable[[Hub], Dialect]]:
    """Return the dialect of clients without TLS on the port of TLS, by its name, if any."""
    shares_port = args.fish_port is None and (args.fish or args.all_dialects)
    return {"fish": make_fish_dialect(args)} if shares_port else {}


def make_fish_dialect(args: argparse.Namespace) -> Callable[[Hub], Dialect]:
    """Return the dialect of Fish in JSON actions; raise `StartError` for impossible games."""
    from tabnet.dialects.fish_actions.actions import FishSettings
    from tabnet.dialects.fish_actions.dialect import FishActions
    from tabnet.protocol.fields import Clock
    from tabnet.server.core.matches.terms import Terms

    given = {field: getattr(args, f"fish_{name}") for name, field in FISH_OPTIONS.items()}
    try:
        options = FISH.make_options({k: v for k, v in given.items() if v is not None})
        FISH.require(options, args.fish_seats)
    except InvalidOptions as error:
        option = next(name for name, field in FISH_OPTIONS.items() if field == error.field)
        raise StartError(f"--fish-{option}: {error.text}", hint=error.hint) from None
    clock = Clock(move=args.fish_clock)
    terms = Terms(FISH.kind, options, args.fish_seats, clock, group=None, strict=True)
    settings = FishSettings(terms, is_invited_only=args.fish_invited)
    return partial(FishActions, settings=settings, is_local_only=not args.allow_plain)


def make_web_rooms_clock(args: argparse.Namespace) -> Clock:
    """Return the clock of the games in the rooms of the web port."""
    from tabnet.protocol.fields import Clock

    return Clock(move=args.plakoto_clock)


def add_dialect_tasks(
    tasks: argparse._SubParsersAction[argparse.ArgumentParser],
    add_task: Callable[..., argparse.ArgumentParser],
) -> None:
    """Add the tasks of the operator for the other dialects; `room` is the room to announce."""
    help = "open ids of Fish for `tabnet serve --fish-invited`"
    example = "examples:\n  tabnet admin fish open cup\n"
    fish = tasks.add_parser("fish", help=help, epilog=example)
    fish_tasks = fish.add_subparsers(required=True, dest="fish_task", metavar="TASK")
    opening = add_task(fish_tasks, "open", "let players sign up for a tournament id, once", "cup")
    opening.add_argument("room", metavar="ID", type=parse_tournament_id)


def parse_tournament_id(text: str) -> str:
    """Return the room of a tournament id of Fish, for argparse."""
    from tabnet.dialects.fish_actions.actions import BOT, ID_FORM, ROOM, is_tournament_id

    if not is_tournament_id(text) or text.startswith(BOT):
        raise argparse.ArgumentTypeError(f"an id has {ID_FORM}, and does not begin with {BOT}")
    return ROOM + text


def _add_clock(group: argparse._ArgumentGroup, dialect: str, seconds: int, scope: str) -> None:
    group.add_argument(
        f"--{dialect}-clock",
        type=clock_seconds,
        metavar="S",
        default=seconds,
        help=f"seconds of each player {scope} (%(default)s)",
    )


def clock_seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= MAX_CLOCK_S:
        raise argparse.ArgumentTypeError(f"{text} is not a time of at most {MAX_CLOCK_S} seconds")
    return seconds
