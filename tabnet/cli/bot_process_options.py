"""The options for processes of bots, which every command that starts them shares."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabnet.tournament.play.bots.process_settings import ProcessSettings


def add_process_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME",
        help="an environment variable that bots receive (PATH and LANG); can be repeated",
    )


def read_process_settings(args: argparse.Namespace) -> ProcessSettings:
    """Return the settings of bot processes; raises `StartError`."""
    from tabnet.tournament.play.bots.bot_environment import require_variables
    from tabnet.tournament.play.bots.process_settings import ProcessSettings

    return ProcessSettings(variables=require_variables(args.env))
