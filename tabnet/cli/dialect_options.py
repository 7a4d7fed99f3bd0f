"""The options of `tabnet serve` for the dialects of other servers' clients, one kind each."""

from __future__ import annotations

import argparse
from functools import cache, partial
from typing import TYPE_CHECKING

from tabnet.cli.server_options import port

if TYPE_CHECKING:
    from tabnet.server.net.ports import PortSettings

DRAUGHTS_PORT = 44322
"""The port in the document that describes draughts in text lines."""
DRAUGHTS_CLOCK_S = 600
MAX_CLOCK_S = 24 * 3600


def configure_dialects(group: argparse._ArgumentGroup) -> None:
    """Add the options of the other dialects."""
    group.add_argument(
        "--all-dialects",
        action="store_true",
        help=f"the same as --draughts-port {DRAUGHTS_PORT}",
    )
    group.add_argument(
        "--draughts-port",
        type=port,
        metavar="PORT",
        help="also open a port for draughts in text lines over TLS, on --host (none)",
    )
    _add_clock(group, "draughts", DRAUGHTS_CLOCK_S, "for the whole game")


def dialect_ports(args: argparse.Namespace) -> list[PortSettings]:
    """Return the ports of the other dialects."""
    number = args.draughts_port
    if number is None:
        if not args.all_dialects:
            return []
        number = DRAUGHTS_PORT
    return [draughts_port(args, number)]


def draughts_port(args: argparse.Namespace, number: int) -> PortSettings:
    """Return the port of draughts in text lines."""
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


def _add_clock(group: argparse._ArgumentGroup, dialect: str, seconds: int, scope: str) -> None:
    group.add_argument(
        f"--{dialect}-clock",
        type=clock_seconds,
        metavar="S",
        default=seconds,
        help=f"seconds of each player {scope} (%(default)s)",
    )


def clock_seconds(text: str) -> float:
    """Parse the seconds of a clock, for argparse."""
    seconds = float(text)
    if not 0 < seconds <= MAX_CLOCK_S:
        raise argparse.ArgumentTypeError(f"{text} is not a time of at most {MAX_CLOCK_S} seconds")
    return seconds
