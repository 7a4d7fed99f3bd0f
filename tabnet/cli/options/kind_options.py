"""The options for a kind of game: `--kind`, and an option for each field that the kinds declare."""

from __future__ import annotations

import argparse
from typing import Any

from tabnet.errors import StartError
from tabnet.games import DEFAULT_KIND, GAMES
from tabnet.games.api import Game
from tabnet.protocol.fields import format_kind_names, format_kinds, format_option_help


def add_kind_option(parser: argparse.ArgumentParser) -> None:
    """Add `--kind`, and the examples of every kind for this command."""
    parser.add_argument("--kind", default=DEFAULT_KIND, help=f"which game: {format_kinds()}")
    _add_examples_of_kinds(parser)


def add_kind_argument(parser: argparse.ArgumentParser) -> None:
    """Add the kind as an argument without a name, and the examples of every kind."""
    parser.add_argument("kind", help=f"which game: {', '.join(GAMES)}")
    _add_examples_of_kinds(parser)


def _add_examples_of_kinds(parser: argparse.ArgumentParser) -> None:
    command = parser.prog.rpartition(" ")[2]
    lines = [line for game in GAMES.values() for line in game.examples.get(command, ())]
    parser.epilog = (parser.epilog or "") + "".join(f"  {line}\n" for line in lines)


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for each integer that `join` takes for a kind of game."""
    for name in list_game_options():
        parser.add_argument(f"--{name}", type=int, metavar="N", help=format_option_help(name))


def add_leaderboard_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that separate the rankings of a kind of game."""
    for name in dict.fromkeys(game.leaderboard_option for game in GAMES.values()):
        if name is not None:
            parser.add_argument(f"--{name}", type=int, metavar="N", help=format_option_help(name))


def add_seats_option(parser: argparse.ArgumentParser) -> None:
    """Add `--seats`, for the kinds that are not always for two."""
    many = [game.seats for game in GAMES.values() if len(game.seats) > 1]
    parser.add_argument(
        "--seats",
        type=int,
        help=f"{format_kind_names(lambda game: len(game.seats) > 1)}: how many play, "
        f"{min(seats[0] for seats in many)} to {max(seats[-1] for seats in many)} (2)",
    )


def list_game_options() -> list[str]:
    fields = [field for game in GAMES.values() for field in game.fields.join.items()]
    return list(dict.fromkeys(name for name, field in fields if field.type is int))


def read_game_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options that were given, and the default of one that the kind requires."""
    given = {name: getattr(args, name, None) for name in list_game_options()}
    options = {name: value for name, value in given.items() if value is not None}
    required = GAMES[args.kind].leaderboard_option if args.kind in GAMES else None
    if required is not None and required not in options:
        options[required] = getattr(GAMES[args.kind].options(), required)
    return options


def require_kind(kind: str) -> Game:
    """Return the game of that kind; raises `StartError`."""
    if kind not in GAMES:
        raise StartError(f"unknown kind '{kind}'", hint=f"one of: {' '.join(GAMES)}")
    return GAMES[kind]
